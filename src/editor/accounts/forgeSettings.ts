import type * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { hostAlone, readEntries, withHub, type ReadEntries } from './forgeEntry.ts';

const section = 'forge';
const key = 'forges';

/** A setting's user value. Workspace values are invisible here. */
export type UserSetting = ReturnType<typeof forgesSetting>;

/** The setting `forge.forges`. Only the user's value counts, because it decides where tokens go. */
export function forgesSetting(
	workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
) {
	return {
		read: () => workspace.getConfiguration(section).inspect<unknown>(key)?.globalValue,
		// `true`: the user's settings.
		write: (value: unknown): PromiseLike<void> => workspace.getConfiguration(section).update(key, value, true),
		onDidChange: (listener: () => void): Disposable =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.${key}`)) {
					listener();
				}
			}),
	};
}

/** The forges that the user configured. */
export type ForgeSettings = ReturnType<typeof forgeSettings>;

/** Reads the setting now and whenever it changes. */
export function forgeSettings(setting: UserSetting) {
	let read: ReadEntries = readEntries(setting.read());
	const changed = new Emitter<void>();
	const subscription = setting.onDidChange(() => {
		const next = readEntries(setting.read());
		if (JSON.stringify(next) !== JSON.stringify(read)) {
			read = next;
			changed.fire();
		}
	});
	return {
		instances: () => read.instances,
		/** Unusable entries. */
		bad: () => read.bad,
		/** Appends an entry to the user's settings; leaves existing ones as written. */
		async add(entry: string | Readonly<Record<string, unknown>>) {
			const before = setting.read();
			const entries: readonly unknown[] = Array.isArray(before) ? before : [];
			await setting.write([...entries, entry]);
		},
		/** Host of a forge whose entry has only a host name and no projects service. */
		hostAlone: (instanceId: string) => hostAlone(setting.read(), instanceId)?.host,
		/** Adds the projects service to such an entry; leaves everything else as written. */
		async tellHub(instanceId: string, hub: string) {
			const before = setting.read();
			const alone = hostAlone(before, instanceId);
			if (alone) {
				await setting.write(withHub(before, alone, hub));
			}
		},
		/** A forge came, went or changed. */
		onDidChange: changed.event,
		dispose() {
			subscription.dispose();
			changed.dispose();
		},
	};
}
