import { listingOf } from '../../shared/keptListing.ts';
import { listOf, maybe } from '../../shared/keptFields.ts';
import { labelOf, trackerOf, trackerRefOf } from '../keptTicketValues.ts';
import { fieldsOf } from '../../../base/looseJson.ts';
import type { RememberedTrackers, TrackerLabels } from '../rememberedTickets.ts';

/** Increment when the format changes. */
const version = 1;

/** Serializes trackers and labels. */
export function trackersText(trackers: RememberedTrackers): string {
	return JSON.stringify({ version, ...trackers });
}

/** Inverse of `trackersText`. Throws on invalid text. */
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

function labelsOf(value: unknown): TrackerLabels {
	const { tracker, labels } = fieldsOf(value);
	return { tracker: trackerRefOf(tracker), labels: listOf(labels, labelOf) };
}
