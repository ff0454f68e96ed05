import * as vscode from 'vscode';
import { askFor } from '../../../editor/ask/ask.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { askVisibility } from '../../../editor/owned/askVisibility.ts';
import { ticketLimits } from '../../../forge/ticketLimits.ts';
import { asksForVisibility, trackerRefText, type NewTracker, type Tracker } from '../../../forge/tracker.ts';
import type { Connection } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import { trackerNameComplaint } from './trackerName.ts';

/** Asks for what a tracker needs and makes it. Who may see it is asked only where the forge wants to know. */
export async function createTracker(connection: Connection, signal: AbortSignal): Promise<void> {
	const taken = connection.tickets
		.knownTrackers()
		.filter(({ owner }) => owner === connection.me)
		.map(({ name }) => name);
	const title = vscode.l10n.t('Create a tracker');
	const name = await askFor({
		title,
		prompt: vscode.l10n.t('Name'),
		placeHolder: 'my-project',
		complaint: (value) => trackerNameComplaint(value.trim(), taken),
	});
	const description = await askFor({
		title,
		prompt: vscode.l10n.t('Description in Markdown (optional; you can add it later)'),
		complaint: descriptionComplaint,
	});
	const wanted: NewTracker = { name, ...(description !== '' && { description }) };
	const tracker = await made(connection, wanted, signal);
	const reference = trackerRefText({ owner: tracker.owner.canonicalName, name: tracker.name });
	tellBriefly(vscode.l10n.t('Created {0}', visibleLine(reference)));
}

async function made(connection: Connection, wanted: NewTracker, signal: AbortSignal): Promise<Tracker> {
	try {
		return await send(connection, wanted, signal);
	} catch (error) {
		if (wanted.visibility !== undefined || !asksForVisibility(error)) {
			throw error;
		}
	}
	const visibility = await askVisibility(vscode.l10n.t('Who can see the tracker?'));
	return send(connection, { ...wanted, visibility }, signal);
}

function send({ writes }: Connection, wanted: NewTracker, signal: AbortSignal): Promise<Tracker> {
	return withProgress(vscode.l10n.t('Creating…'), signal, (working) => writes.trackers.create(wanted, working));
}

/** Why the forge would not take a description. */
export function descriptionComplaint(text: string): string | undefined {
	return Array.from(text).length > ticketLimits.longestTrackerDescription
		? vscode.l10n.t('A description can have at most {0} characters.', ticketLimits.longestTrackerDescription)
		: undefined;
}
