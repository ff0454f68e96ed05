import { Emitter, type Event } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { ForgeInstance } from '../../forge/port/instance.ts';
import { isSourceHut, sourceHut } from './forgeEntry.ts';
import type { ForgeSettings } from './forgeSettings.ts';
import type { SampleSource } from './sampleSource.ts';

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
