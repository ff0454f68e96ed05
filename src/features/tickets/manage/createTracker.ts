import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import { askVisibility } from '../../../editor/owned/askVisibility.ts';
import { askNew, tellCreated } from '../../../editor/owned/newOwned.ts';
import { asksForVisibility, type NewTracker, type Tracker } from '../../../forge/tracker.ts';
import type { Connection } from '../../../state/connection.ts';
import { refOfTracker } from '../../../state/tickets/trackerRefs.ts';
import { trackerKind } from '../subjects/trackerKind.ts';

/** Asks for what a tracker needs and makes it. Who may see it is asked only where the forge wants to know. */
export async function createTracker(connection: Connection, signal: AbortSignal): Promise<void> {
	const wanted = await askNew(trackerKind, connection, signal);
	tellCreated(refOfTracker(await made(connection, wanted, signal)));
}

async function made(connection: Connection, wanted: NewTracker, signal: AbortSignal): Promise<Tracker> {
	try {
		return await send(connection, wanted, signal);
	} catch (error) {
		if (!asksForVisibility(error)) {
			throw error;
		}
	}
	const visibility = await askVisibility(vscode.l10n.t('Who can see the tracker?'));
	return send(connection, { ...wanted, visibility }, signal);
}

function send({ writes }: Connection, wanted: NewTracker, signal: AbortSignal): Promise<Tracker> {
	return withProgress(vscode.l10n.t('Creating…'), signal, (working) => writes.trackers.create(wanted, working));
}
