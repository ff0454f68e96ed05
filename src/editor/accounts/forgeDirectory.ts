import type * as vscode from 'vscode';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { type Disposable, Disposables } from '@forge-desk/base/lifecycle.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { hostAlone, readEntries, withHub, type ReadEntries, isSourceHut, sourceHut } from './forgeEntry.ts';
import type { SampleSource } from './sampleSource.ts';

const section = 'forge';

/** A setting's user value. Workspace values are invisible here. */
export type UserSetting = ReturnType<typeof userSettingOf>;

/** A setting that names servers. Only the user's value counts, because it decides where tokens and requests go. */
export function userSettingOf(
	workspace: typeof vscode.workspace,
	key: 'forges' | 'archives.lists' | 'archives.mirrors',
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

/** Detected protocols of forges. */
export interface FoundBeside {
	withFound(instance: ForgeInstance): ForgeInstance;
	readonly onDidChange: Event<void>;
}

/** All forges available for sign-in. */
export type ForgeDirectory = ReturnType<typeof forgeDirectory>;

/** Combines sr.ht, configured forges, the sample forge and detected protocols. */
export function forgeDirectory(settings: ForgeSettings, sample: SampleSource, found: FoundBeside) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	owned.add(settings.onDidChange(() => changed.fire()));
	owned.add(sample.onDidChange(() => changed.fire()));
	owned.add(found.onDidChange(() => changed.fire()));
	const all = (): readonly ForgeInstance[] => {
		const running = sample.running();
		const configured = settings.instances();
		const builtIn = configured.some(isSourceHut) ? [] : [sourceHut];
		const remote = [...builtIn, ...configured].map((instance) => found.withFound(instance));
		return running === undefined ? remote : [...remote, running.instance];
	};
	return {
		/** sr.ht unless the user's own replace it, then these in their order, then the sample forge while it runs. */
		all,
		byId: (id: string) => all().find((instance) => instance.id === id),
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}
