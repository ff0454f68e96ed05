import type { Label, TrackerRef } from '../../../forge/tracker.ts';
import { listingOf } from '../../shared/keptListing.ts';
import { listOf, maybe } from '../../shared/keptFields.ts';
import { labelOf, trackerOf, trackerRefOf } from '../keptTicketValues.ts';
import { fieldsOf } from '../../shared/keptValues.ts';
import type { RememberedTrackers } from '../rememberedTickets.ts';

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
		own: maybe(own, (listing) => listingOf(listing, trackerOf)),
		others: others.map(trackerOf),
		labels: labels.map(labelsOf),
	};
}

function labelsOf(value: unknown): { readonly tracker: TrackerRef; readonly labels: readonly Label[] } {
	const { tracker, labels } = fieldsOf(value);
	return { tracker: trackerRefOf(tracker), labels: listOf(labels, labelOf) };
}
