import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';
import { onceAtATime } from '../../../base/onceAtATime.ts';
import { cancelled } from '../../../editor/ask.ts';
import type { CommandTable } from '../../../editor/feature.ts';
import { connectionOf, isRecord } from '../../../editor/subjects.ts';
import type { DraftDocuments } from '../drafts/draftDocuments.ts';
import { descriptionScheme, draftUri } from '../drafts/draftUri.ts';
import { trackerSubject } from '../subjects.ts';
import { askTicketConnection, askTracker } from '../ticketQuestions.ts';
import { createTracker } from './createTracker.ts';
import { deleteTracker } from './deleteTracker.ts';
import { descriptionOf, saveDescription, type DescribeParts } from './describeTracker.ts';
import { ownTracker } from './ownTracker.ts';
import { showLabels, type ShowLabelsParts } from './showLabels.ts';

/** What is done with trackers themselves. */
export interface TrackersFeature extends Disposable {
	readonly commands: CommandTable;
}

/** What trackers need. */
export interface TrackersParts extends Pick<DescribeParts, 'connections' | 'firstTexts'>, ShowLabelsParts {
	readonly documents: DraftDocuments;
}

/** Composes what belongs to trackers themselves. */
export function trackersFeature(parts: TrackersParts): TrackersFeature {
	const { connections, documents, firstTexts } = parts;
	const lenses = vscode.languages.registerCodeLensProvider(
		{ scheme: descriptionScheme },
		{
			provideCodeLenses: ({ uri }) => [
				new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
					title: `$(cloud-upload) ${vscode.l10n.t('Save Tracker Description')}`,
					command: 'forge.trackers.saveDescription',
					arguments: [uri],
				}),
			],
		},
	);
	const once = onceAtATime();

	return {
		commands: {
			'forge.trackers.create': async (_, signal) => createTracker(await askTicketConnection(connections), signal),
			'forge.trackers.editDescription': async (subject, signal) => {
				const { connectionKey, ref } = await ownTracker(connections, subject, signal);
				const about = { kind: 'description', connectionKey, tracker: ref } as const;
				const key = draftUri(about).toString();
				if (!vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === key)) {
					// Opened anew, it says what the forge says now.
					firstTexts.delete(key);
				}
				await documents.open(about);
			},
			'forge.trackers.saveDescription': async (subject, signal) => {
				const uri = isRecord(subject) && subject instanceof vscode.Uri ? subject : frontUri();
				const about = uri && descriptionOf(uri);
				if (!about) {
					throw cancelled();
				}
				await once(draftUri(about).toString(), () => saveDescription(parts, about, signal));
			},
			'forge.trackers.delete': async (subject, signal) => {
				const tracker = await ownTracker(connections, subject, signal);
				await deleteTracker(connectionOf(connections, tracker), tracker.ref, signal);
			},
			'forge.trackers.labels': async (subject, signal) =>
				showLabels(parts, trackerSubject(subject) ?? (await askTracker(connections, 'any', signal)), signal),
		},
		dispose() {
			lenses.dispose();
		},
	};
}

function frontUri(): vscode.Uri | undefined {
	return vscode.window.activeTextEditor?.document.uri;
}
