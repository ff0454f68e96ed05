import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../../harness/places.ts';

const loaded = v.object({
	sameFetch: v.boolean(),
	dispatchers: v.array(v.boolean()),
	bundles: v.array(v.string()),
});

/** What loading a bundle did to a fresh process. */
export type Loaded = v.InferOutput<typeof loaded>;

/** Runs in the fresh process. Any name may be asked of the stand-in for `vscode`, and may be extended or called. */
const script = `
const { basename } = require('node:path');
const module_ = require('node:module');
const anything = () => new Proxy(function () {}, {
	get: (target, name) => (name === 'prototype' || typeof name === 'symbol' ? target[name] : anything()),
	apply: () => anything(),
	construct: () => ({}),
});
globalThis.vscodeStandIn = anything();
module_.registerHooks({
	resolve: (name, context, next) =>
		name === 'vscode' ? { url: 'stand-in:vscode', shortCircuit: true } : next(name, context),
	load: (url, context, next) =>
		url === 'stand-in:vscode'
			? { format: 'commonjs', source: 'module.exports = vscodeStandIn', shortCircuit: true }
			: next(url, context),
});
const before = globalThis.fetch;
require(process.argv[1]);
console.log(JSON.stringify({
	sameFetch: globalThis.fetch === before,
	dispatchers: ['1', '2'].map((n) => globalThis[Symbol.for('undici.globalDispatcher.' + n)] !== undefined),
	bundles: Object.keys(require.cache).map((path) => basename(path)).filter((name) => name.endsWith('.cjs')),
}));
`;

/** Loads a bundle of dist in a process of its own. */
export function loadBundle(name: string): Loaded {
	const text = execFileSync(process.execPath, ['-e', script, join(root, 'dist', name)], { encoding: 'utf8' });
	return v.parse(loaded, JSON.parse(text));
}
