import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ForgeInstance } from '../../forge/port/instance.ts';
import { hostAlone, readEntries, withHub, type BadEntry, type ReadEntries } from './forgeEntry.ts';

const section = 'forge';
const key = 'forges';

/** A setting's user value. Workspace values are invisible here. */
export interface UserSetting {
	read(): unknown;
	write(value: unknown): PromiseLike<void>;
	onDidChange(listener: () => void): Disposable;
}

/** The setting `forge.forges`. Only the user's value counts, because it decides where tokens go. */
export function forgesSetting(
	workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
): UserSetting {
	return {
		read: () => workspace.getConfiguration(section).inspect<unknown>(key)?.globalValue,
		// `true`: the user's settings.
		write: (value) => workspace.getConfiguration(section).update(key, value, true),
		onDidChange: (listener) =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.${key}`)) {
					listener();
				}
			}),
	};
}

/** The forges that the user configured. */
export interface ForgeSettings extends Disposable {
	instances(): readonly ForgeInstance[];
	/** Unusable entries. */
	bad(): readonly BadEntry[];
	/** Appends an entry to the user's settings; leaves existing ones as written. */
	add(entry: string | Readonly<Record<string, unknown>>): Promise<void>;
	/** Host of a forge whose entry has only a host name and no projects service. */
	hostAlone(instanceId: string): string | undefined;
	/** Adds the projects service to such an entry; leaves everything else as written. */
	tellHub(instanceId: string, hub: string): Promise<void>;
	/** A forge came, went or changed. */
	readonly onDidChange: Event<void>;
}

/** Reads the setting now and whenever it changes. */
export function forgeSettings(setting: UserSetting): ForgeSettings {
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
		bad: () => read.bad,
		async add(entry) {
			const before = setting.read();
			const entries: readonly unknown[] = Array.isArray(before) ? before : [];
			await setting.write([...entries, entry]);
		},
		hostAlone: (instanceId) => hostAlone(setting.read(), instanceId)?.host,
		async tellHub(instanceId, hub) {
			const before = setting.read();
			const alone = hostAlone(before, instanceId);
			if (alone) {
				await setting.write(withHub(before, alone, hub));
			}
		},
		onDidChange: changed.event,
		dispose() {
			subscription.dispose();
			changed.dispose();
		},
	};
}
