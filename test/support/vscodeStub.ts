import { registerHooks } from 'node:module';

/*
 * Rooms of the editor import `vscode`, which exists only inside the editor. This stub gives Node the few plain values
 * of `vscodeValues.ts`. Import it first, and load such a room with `await import(…)`.
 */
registerHooks({
	resolve: (specifier, context, next) =>
		specifier === 'vscode'
			? { url: new URL('vscodeValues.ts', import.meta.url).href, shortCircuit: true }
			: next(specifier, context),
});
