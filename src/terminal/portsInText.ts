/** The most ports of one text that are looked at. */
const MOST_PORTS = 20;

/** A port as programs print it: `localhost:5173`, `0.0.0.0 port 8000`, `on port: 3000`. */
const PORT = /(?:[\w\])]:|\bport[ :=#]{1,2})(\d{2,5})(?![\d.:]*\d)/gi;

/** The TCP ports that a program's text names, latest first. Whether a program listens there must be looked up. */
export function portsInText(text: string): readonly number[] {
  const numbers = [...text.matchAll(PORT)].map(([, digits]) => Number(digits));
  const ports = numbers.filter((port) => port === 80 || port === 443 || (port >= 1024 && port <= 65_535));
  return [...new Set(ports.reverse())].slice(0, MOST_PORTS);
}
