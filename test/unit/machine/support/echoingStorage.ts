import { setImmediate } from 'node:timers/promises';
import type { EditorStorage } from '../../../../src/machine/storage/editorStorage.ts';

/**
 * The editor's real storage behaviour: one value for all, and each write sends it back to every window. `pause` runs
 * between its steps.
 */
export function echoingStorage(pause: () => Promise<unknown> = () => setImmediate()): {
	readonly window: () => EditorStorage;
	readonly kept: () => unknown;
} {
	let kept: Readonly<Record<string, unknown>> = {};
	const windows = new Set<() => void>();
	function window(): EditorStorage {
		let known = new Map<string, unknown>(Object.entries(kept));
		let sending: Promise<void> | undefined;
		windows.add(() => {
			known = new Map(Object.entries(kept));
		});
		async function send(): Promise<void> {
			await pause();
			sending = undefined;
			const sent = Object.fromEntries(Array.from(known).filter(([, value]) => value !== undefined));
			await pause();
			kept = sent;
			windows.forEach((hear) => hear());
		}
		return {
			get: (key) => known.get(key),
			update(key, value) {
				known.set(key, value);
				sending ??= send();
				return sending;
			},
			keys: () => Array.from(known).flatMap(([key, value]) => (value === undefined ? [] : [key])),
		};
	}
	return { window, kept: () => kept };
}
