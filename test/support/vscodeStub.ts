import { registerHooks } from 'node:module';

/*
 * Rooms that face the editor import `vscode`, which exists only inside it. With this, plain node gives them the few
 * values of `vscodeValues.ts` that need no editor. Import it first, and load such a room with `await import(…)`.
 */
registerHooks({
	resolve: (specifier, context, next) =>
		specifier === 'vscode'
			? { url: new URL('vscodeValues.ts', import.meta.url).href, shortCircuit: true }
			: next(specifier, context),
});
