import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { ForgeInstance } from '../../forge/instance.ts';
import type { ForgeSettings } from './forgeSettings.ts';
import type { SampleSource } from './sampleSource.ts';

/** Every forge that can be signed in to now. */
export interface ForgeDirectory extends Disposable {
	/** The user's own in their order, then the sample forge while it runs. */
	all(): readonly ForgeInstance[];
	byId(id: string): ForgeInstance | undefined;
	readonly onDidChange: Event<void>;
}

/** The forges of the settings and the sample forge together. */
export function forgeDirectory(settings: ForgeSettings, sample: SampleSource): ForgeDirectory {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	owned.add(settings.onDidChange(() => changed.fire()));
	owned.add(sample.onDidChange(() => changed.fire()));
	const all = (): readonly ForgeInstance[] => {
		const running = sample.running();
		return running === undefined ? settings.instances() : [...settings.instances(), running.instance];
	};
	return {
		all,
		byId: (id) => all().find((instance) => instance.id === id),
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}
