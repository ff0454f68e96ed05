import type { Event } from '../../../base/event.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import type { FilterProblem } from '../../../search/filterProblem.ts';

/** Whose settings a saved filter stands in. */
export type FilterPlace = 'user' | 'workspace';

/** An entry of the setting `forge.filters`. */
export interface SavedFilter {
	readonly name: string;
	/** As the user wrote it. */
	readonly filter: string;
	readonly where: FilterPlace;
	/** Why the filter cannot be run; such an entry is shown with it and never dropped. */
	readonly problem?: FilterProblem | { readonly kind: 'notAnEntry' };
}

/** Which filters there are and which are applied. What is applied outlives the window. */
export interface TicketFilters {
	/** The user's filters, then the workspace's, each in the order of the setting. */
	saved(): readonly SavedFilter[];
	/** The filter that a tracker's rows are held to. Always one that can be read. */
	onTracker(connectionKey: string, ref: TrackerRef): string | undefined;
	/** The filter that is shown as a queue over all trackers of all accounts. */
	onAll(): string | undefined;
	/** `undefined` takes it off. Resolves when it is kept. */
	setOnTracker(connectionKey: string, ref: TrackerRef, filter: string | undefined): Promise<void>;
	setOnAll(filter: string | undefined): Promise<void>;
	/** Something was applied, taken off, saved, edited or deleted. */
	readonly onDidChange: Event<void>;
}
