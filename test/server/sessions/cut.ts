import type { RawClient } from '../rawClient.js';

/** Breaks the connection of a client. */
export const cut = async (client: RawClient) => {
  client.transport.destroy('cut');
  await client.ended;
};
