import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Duplex } from 'node:stream';

type Answered = (response: IncomingMessage) => void;

interface Module<O> {
  request(options: O, answered?: Answered): ClientRequest;
}

/**
 * Requests whose answer may be that the server goes on in another protocol. Nobody here does: that is the whole answer.
 * Without it Node would drop the connection and say nothing, and whoever asked would wait for ever.
 */
export function switchingProtocols<O extends RequestOptions>(module: Module<O>): Module<O> {
  return {
    request: (options, answered) => {
      const sent = module.request(options, answered);
      sent.once('upgrade', (response: IncomingMessage, socket: Duplex) => {
        socket.destroy();
        answered?.(response);
      });
      return sent;
    },
  };
}
