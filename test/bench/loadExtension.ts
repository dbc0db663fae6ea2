import Module from 'node:module';

/**
 * Loads the file named by the first argument into this fresh process, and prints how many milliseconds that took. The
 * time covers reading and compiling the code, and running its top level. `vscode` is a stand-in with every property.
 */

interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

/** Can be called, extended and instantiated. Each of its properties is this object again. */
const anything: object = new Proxy(
  function () {
    return undefined;
  },
  {
    get: (target, name) => (name === 'prototype' ? (target.prototype as unknown) : anything),
    apply: () => anything,
    construct: () => ({}),
  },
);

const loader = Module as unknown as Loader;
const load = loader._load.bind(loader);
loader._load = (request, ...rest) => (request === 'vscode' ? anything : load(request, ...rest));

const [file = ''] = process.argv.slice(2);
const start = performance.now();
Module.createRequire(__filename)(file);
process.stdout.write(`${performance.now() - start}\n`);
process.exit();
