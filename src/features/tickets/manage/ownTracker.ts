import * as vscode from 'vscode';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import { trackerSubject, type TrackerSubject } from '../subjects/subjects.ts';
import { askTicketConnection, ownTrackers } from '../subjects/ticketQuestions.ts';

/** A tracker that the account owns: the row that a command was used on, else the answer to a question. */
export async function ownTracker(
	connections: Connections,
	subject: unknown,
	signal: AbortSignal,
): Promise<TrackerSubject> {
	const given = trackerSubject(subject);
	if (given) {
		if (given.ref.owner !== connectionOf(connections, given).me) {
			void notify(
				'warning',
				vscode.l10n.t('Only {0}, who owns this tracker, can do this.', visibleLine(given.ref.owner)),
			);
			throw cancelled();
		}
		return given;
	}
	return askOwn(await askTicketConnection(connections), signal);
}

async function askOwn(connection: Connection, signal: AbortSignal): Promise<TrackerSubject> {
	const own = await ownTrackers(connection, signal);
	if (own.length === 0) {
		void notify('information', vscode.l10n.t("You don't own a tracker."));
		throw cancelled();
	}
	return choose(
		vscode.l10n.t('Choose one of your trackers'),
		own.map(({ name }) => ({
			label: visibleLine(name),
			iconPath: new vscode.ThemeIcon('project'),
			value: { kind: 'tracker', connectionKey: connection.key, ref: { owner: connection.me, name } } as const,
		})),
	);
}
