import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError */
export function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new InvalidArgumentError('It must be a number from 1 on.');
  }
  return Number(text);
}
