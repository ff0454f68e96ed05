import * as vscode from 'vscode';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import { askListConnection } from '../subjects/listQuestions.ts';
import { listSubject, type ListSubject } from '../subjects/subjects.ts';

/** A list that the account owns: the row that a command was used on, else the answer to a question. */
export async function ownList(connections: Connections, subject: unknown, signal: AbortSignal): Promise<ListSubject> {
	const given = listSubject(subject);
	if (!given) {
		return askOwn(await askListConnection(connections), signal);
	}
	if (!connectionOf(connections, given).lists.isMine(given.ref)) {
		void notify('warning', vscode.l10n.t('Only {0}, who owns this list, can do this.', visibleLine(given.ref.owner)));
		throw cancelled();
	}
	return given;
}

async function askOwn({ key, lists, me }: Connection, signal: AbortSignal): Promise<ListSubject> {
	let own = await lists.ownLists(signal);
	while (own.completeness.kind === 'more') {
		own = await lists.moreOwnLists(signal);
	}
	if (own.items.length === 0) {
		void notify('information', vscode.l10n.t("You don't own a list."));
		throw cancelled();
	}
	return choose(
		vscode.l10n.t('Choose one of your lists'),
		own.items.map(({ name }) => ({
			label: visibleLine(name),
			iconPath: new vscode.ThemeIcon('mail'),
			value: { kind: 'list', connectionKey: key, ref: { owner: me, name } } as const,
		})),
	);
}
