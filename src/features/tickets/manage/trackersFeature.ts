import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { askAccount, ownTarget } from '../../../editor/owned/askOwned.ts';
import { createOwned, tellCreated, type Unmade } from '../../../editor/owned/newOwned.ts';
import { deleteOwned } from '../../../editor/owned/deleteOwned.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { Connections } from '../../../state/connection.ts';
import type { Descriptions } from '../drafts/descriptions.ts';
import { ticketSubject, trackerSubject, type TrackerSubject } from '../subjects/subjects.ts';
import { askTracker } from '../subjects/ticketQuestions.ts';
import { trackerKind } from '../subjects/trackerKind.ts';
import { changeSubscription } from './changeSubscription.ts';
import { manageLabels } from './manageLabels.ts';
import { showLabels, type ShowLabelsParts } from './showLabels.ts';

export interface TrackersFeature {
	readonly commands: CommandTable;
}

export interface TrackersParts extends ShowLabelsParts {
	readonly connections: Connections;
	readonly pages: Pick<PageHost, 'inFront'>;
	readonly problems: Pick<Problems, 'explain'>;
	readonly descriptions: Descriptions;
}

/** Composes what belongs to trackers themselves. */
export function trackersFeature(parts: TrackersParts): TrackersFeature {
	const { connections, pages, problems, descriptions } = parts;
	const unmade: Unmade = new Map();

	/** Tracker of the row or its ticket; from the palette, that of the active ticket page. */
	async function trackerTarget(subject: unknown, signal: AbortSignal): Promise<TrackerSubject> {
		const ticket = ticketSubject(subject) ?? (subject === undefined ? ticketSubject(pages.inFront()) : undefined);
		const ofTicket = ticket && { ...ticket, kind: 'tracker' as const, ref: ticket.ref.tracker };
		return trackerSubject(subject) ?? ofTicket ?? askTracker(connections, signal);
	}

	return {
		commands: {
			'forge.trackers.create': async (_, signal) => {
				const connection = await askAccount(trackerKind, connections);
				tellCreated(await createOwned(trackerKind, { problems, unmade }, connection, signal));
			},
			'forge.trackers.editDescription': async (subject, signal) => {
				const { connectionKey, ref } = await ownTarget(trackerKind, connections, subject, signal);
				await descriptions.edit({ kind: 'description', connectionKey, tracker: ref });
			},
			'forge.trackers.saveDescription': (subject, signal) => descriptions.save(subject, signal),
			'forge.trackers.delete': async (subject, signal) => {
				const tracker = await ownTarget(trackerKind, connections, subject, signal);
				await deleteOwned(trackerKind, connectionOf(connections, tracker), tracker.ref, signal);
			},
			'forge.trackers.subscription': async (subject, signal) =>
				changeSubscription(connections, trackerSubject(subject) ?? (await askTracker(connections, signal)), signal),
			'forge.trackers.manageLabels': async (subject, signal) =>
				manageLabels(connections, await trackerTarget(subject, signal), signal),
			'forge.trackers.labels': async (subject, signal) =>
				showLabels(parts, trackerSubject(subject) ?? (await askTracker(connections, signal)), signal),
		},
	};
}
