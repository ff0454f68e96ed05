import type { Completeness } from '../../../forge/page.ts';
import type { Label, Tracker, TrackerRef } from '../../../forge/tracker.ts';
import type { Listing } from '../../shared/listing.ts';
import { fieldsOf, isLabel, isTracker } from '../../shared/keptValues.ts';
import type { RememberedTrackers } from '../trackerShelf.ts';

/** Changes with the format. */
const version = 1;

/** Trackers and labels as one file. */
export function trackersText(trackers: RememberedTrackers): string {
	return JSON.stringify({ version, ...trackers });
}

/** Reads that file. Throws for anything that is not as it was written. */
export function trackersOf(text: string): RememberedTrackers {
	const { version: written, own, others, labels } = fieldsOf(JSON.parse(text));
	if (written !== version || !Array.isArray(others) || !Array.isArray(labels)) {
		throw new Error('The file does not begin as it should');
	}
	return {
		own: own === undefined ? undefined : ownOf(own),
		others: others.map(trackerOf),
		labels: labels.map(labelsOf),
	};
}

function ownOf(value: unknown): Listing<Tracker> {
	const { items, completeness } = fieldsOf(value);
	if (!Array.isArray(items)) {
		throw new Error('A list is missing');
	}
	return { items: items.map(trackerOf), completeness: completenessOf(completeness) };
}

function completenessOf(value: unknown): Completeness {
	const { kind, total } = fieldsOf(value);
	switch (kind) {
		case 'complete':
			return { kind };
		case 'more':
			return { kind, total: typeof total === 'number' ? total : undefined };
		default:
			return { kind: 'unstated' };
	}
}

function trackerOf(value: unknown): Tracker {
	const whole: unknown = {
		id: undefined,
		description: undefined,
		defaultPermissions: undefined,
		visibility: undefined,
		...fieldsOf(value),
	};
	if (!isTracker(whole)) {
		throw new Error('A tracker is not as it should be');
	}
	return whole;
}

function labelsOf(value: unknown): { readonly tracker: TrackerRef; readonly labels: readonly Label[] } {
	const { tracker, labels } = fieldsOf(value);
	const { owner, name } = fieldsOf(tracker);
	if (typeof owner !== 'string' || typeof name !== 'string' || !Array.isArray(labels)) {
		throw new Error('Labels without a tracker');
	}
	return { tracker: { owner, name }, labels: labels.map(labelOf) };
}

function labelOf(value: unknown): Label {
	const whole: unknown = { createdMs: undefined, ...fieldsOf(value) };
	if (!isLabel(whole)) {
		throw new Error('A label is not as it should be');
	}
	return whole;
}
