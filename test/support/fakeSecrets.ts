import { Emitter } from '@forge-desk/base/event.ts';
import type { Secrets } from '../../src/editor/accounts/sessionStore.ts';

/** The editor's secret storage for several windows: one set of values, and change events in each. */
export interface FakeSecrets extends Secrets {
	readonly values: Map<string, string>;
}

/** Empty; every operation takes a turn of the event loop, as in the editor. */
export function fakeSecrets(): FakeSecrets {
	const values = new Map<string, string>();
	const changed = new Emitter<{ readonly key: string }>();
	const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
	return {
		values,
		async keys() {
			await turn();
			return [...values.keys()];
		},
		async get(key) {
			await turn();
			return values.get(key);
		},
		async store(key, value) {
			await turn();
			values.set(key, value);
			changed.fire({ key });
		},
		async delete(key) {
			await turn();
			values.delete(key);
			changed.fire({ key });
		},
		onDidChange: changed.event,
	};
}
