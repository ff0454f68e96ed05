import * as vscode from 'vscode';
import * as v from 'valibot';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { rowContext } from '../../../commands/rows.ts';
import { notify, withoutPictures } from '../../../editor/ask/notify.ts';
import { subjectReader } from '../../../editor/commands/subjects.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { shortAge, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { Connection } from '../../../store/connection.ts';
import type { QueuedMails } from '../../../store/outbox/mailOutbox.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { isSendable, queuedMails, type OriginOf } from './queuedMails.ts';
import { mailsText } from './sendWords.ts';

/** Queued mails in the outbox. */
const subjectOf = subjectReader(
	v.object({ kind: v.literal('queuedMails'), connectionKey: v.string(), id: v.string() }),
);

/** Mails of the outbox: their rows, their sending, and the way to their drafts. */
export function outboxMails(context: ListsContext, originOf: OriginOf) {
	const { connections, mailDrafts, problems, clock } = context;
	const owned = new Disposables();
	const sending = owned.add(queuedMails(context, originOf, (connection, item) => void tell(connection, item)));

	function row(connection: Connection, item: QueuedMails, parent: TreeNode | undefined): TreeNode {
		const { id, queuedMs } = item;
		const { key: connectionKey } = connection;
		const [title, state] = [titleOf(item), stateOf(item)];
		const place = visibleLine(refText(item.list));
		const treeItem = new vscode.TreeItem(withoutPictures(title));
		treeItem.description = [place, state, shortAge(queuedMs, clock.nowMs(), vscode.env.language)].join(' · ');
		treeItem.iconPath = isSendable(item)
			? new vscode.ThemeIcon('mail')
			: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
		treeItem.contextValue = rowContext(isSendable(item) ? 'outbox.waiting' : 'outbox.stopped', { text: true });
		treeItem.accessibilityInformation = {
			label: [title, place, state, spokenAge(queuedMs, clock.nowMs(), vscode.env.language)].join(', '),
		};
		const subject = { kind: 'queuedMails', connectionKey, id } as const;
		treeItem.command = { command: 'forge.outbox.open', title: vscode.l10n.t('Open'), arguments: [subject] };
		const lines = item.mails.map((mail) => `- ${escapeMarkdown(visibleLine(mail.subject))}`);
		return {
			id: `${connectionKey}/mails/${id}`,
			item: treeItem,
			agedMs: queuedMs,
			parent,
			subject,
			tooltip: async () => untrustedMarkdown([escapeMarkdown(state), lines.join('\n')]),
		};
	}

	/** Opens the drafts of queued mails. */
	async function open({ key: connectionKey }: Connection, { of }: QueuedMails): Promise<void> {
		switch (of.kind) {
			case 'draft': {
				const { ref, answers, name } = of;
				await mailDrafts.open({ kind: 'mail', connectionKey, ref, answers, name });
				return;
			}
			case 'review':
				await vscode.commands.executeCommand('forge.patchsets.open', { kind: 'patchset', connectionKey, ref: of.ref });
				return;
			case 'series':
				await vscode.commands.executeCommand('forge.submit.preview', { kind: 'series', connectionKey, id: of.id });
				return;
		}
	}

	/** Sends by the user's command, with all questions. */
	async function send(connection: Connection, item: QueuedMails): Promise<void> {
		const { key: connectionKey } = connection;
		switch (item.of.kind) {
			case 'draft':
				await open(connection, item);
				await vscode.commands.executeCommand('forge.lists.sendMail');
				return;
			case 'review':
				await vscode.commands.executeCommand('forge.review.send', {
					kind: 'patchset',
					connectionKey,
					ref: item.of.ref,
				});
				return;
			case 'series':
				await vscode.commands.executeCommand('forge.submit.send', { kind: 'series', connectionKey, id: item.of.id });
				return;
		}
	}

	/** Not awaited: the notice may stay open for hours. */
	async function tell(connection: Connection, item: QueuedMails): Promise<void> {
		const again = vscode.l10n.t('Send…');
		try {
			const text = vscode.l10n.t('{0} stays in the outbox. {1}', titleOf(item), reasonOf(item));
			if ((await notify('warning', text, again)) === again) {
				await send(connection, item);
			}
		} catch (error) {
			if (!isAbort(error)) {
				void problems.show(error);
			}
		}
	}

	return {
		rows: (connection: Connection, parent: TreeNode | undefined) =>
			connection.mailOutbox.shown().map((item) => row(connection, item, parent)),
		/** The queued mails of a row; `undefined` for any other subject, and after they have left. */
		target(value: unknown) {
			const read = subjectOf(value);
			const connection = read && connections.byKey(read.connectionKey);
			const item = connection?.mailOutbox.items().find(({ id }) => id === read?.id);
			return connection && item ? { connection, item } : undefined;
		},
		open,
		send,
		sendNow: sending.sendNow,
		dispose: () => owned.dispose(),
	};
}

function titleOf({ mails }: QueuedMails): string {
	const subject = visibleLine(mails[0]?.subject ?? '');
	return mails.length === 1 ? subject : vscode.l10n.t('{0}: {1}', mailsText(mails.length), subject);
}

function stateOf({ progress }: QueuedMails): string {
	switch (progress.kind) {
		case 'waiting':
			return vscode.l10n.t('waiting for the email server');
		case 'underWay':
			return vscode.l10n.t('perhaps sent, not on the list yet');
		case 'changed':
			return vscode.l10n.t('not sent: its draft has changed');
		case 'unsure':
			return vscode.l10n.t('perhaps sent, and not on the list');
		case 'refused':
			return vscode.l10n.t('not sent: {0}', visibleLine(progress.reason));
	}
}

/** A sentence about mails that wait for the user. */
function reasonOf({ progress }: QueuedMails): string {
	switch (progress.kind) {
		case 'changed':
			return vscode.l10n.t('Its draft has changed since you sent it. Check it, then send it again.');
		case 'unsure':
			return vscode.l10n.t('It may have been sent already, and the list does not have it.');
		case 'refused':
			return visibleLine(progress.reason);
		case 'waiting':
		case 'underWay':
			return '';
	}
}
