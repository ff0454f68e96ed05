import type { Event } from '../../../base/event.ts';
import type { TrackerRef } from '../../../forge/port/tracker.ts';
import type { FilterProblem } from '../../../engine/search/filterTerm.ts';

/** Settings file of a saved filter. */
export type FilterPlace = 'user' | 'workspace';

/** An entry of the setting `forge.filters`. */
export interface SavedFilter {
	readonly name: string;
	/** As the user wrote it. */
	readonly filter: string;
	readonly where: FilterPlace;
	/** A problem that prevents the filter from running. Such entries still appear. */
	readonly problem?: FilterProblem | { readonly kind: 'notAnEntry' };
}

/** Saved and applied filters. Applied filters survive the window. */
export interface TicketFilters {
	/** The user's filters, then the workspace's, each in the order of the setting. */
	saved(): readonly SavedFilter[];
	/** The filter applied to a tracker. Always valid. */
	onTracker(connectionKey: string, ref: TrackerRef): string | undefined;
	/** The filter applied to all trackers of all accounts, shown as a queue. */
	onAll(): string | undefined;
	/** `undefined` removes the filter. Resolves after the save. */
	setOnTracker(connectionKey: string, ref: TrackerRef, filter: string | undefined): Promise<void>;
	setOnAll(filter: string | undefined): Promise<void>;
	/** An applied or saved filter changed. */
	readonly onDidChange: Event<void>;
}
