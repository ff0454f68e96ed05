import * as vscode from 'vscode';
import type { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { run } from '../../../editor/links/pageRequests.ts';
import { action, handler, itemId } from '../../../pages/protocol/pageProtocol.ts';
import { replyText as typedReply, replyWish, type ReplyView } from '../../../pages/protocol/mailsProtocol.ts';
import { draftKey, type MailDraftSubject } from '../../../store/drafts/drafts.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../context/listsContext.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { repliesTo, replyDraft, replyText } from './writeMail.ts';

/** A reply whose box is open: its draft, and the headers above its text. */
interface OpenReply {
	readonly about: MailDraftSubject;
	readonly head: string;
}

/**
 * Host side of the reply boxes of one page. The drafts are those of reply documents. A reply with an open document has no
 * box, because the document would override it. `subjectOf` rejects mails of other pages. `changed`: a draft or its document changed.
 */
export function replyBoxes(
	context: ListsContext,
	of: { readonly connectionKey: string; readonly list: ListRef },
	{ owned, signal }: { readonly owned: Disposables; readonly signal: AbortSignal },
	subjectOf: (mail: number) => MailSubject,
	changed: () => Promise<void>,
) {
	const { drafts, mailDrafts, clock } = context;
	const open = new Map<number, OpenReply>();
	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'mail') {
				void changed();
			}
		}),
	);
	for (const event of [vscode.workspace.onDidOpenTextDocument, vscode.workspace.onDidCloseTextDocument]) {
		owned.add(
			event(({ uri }) => {
				if (mailDrafts.aboutOf(uri)?.kind === 'mail') {
					void changed();
				}
			}),
		);
	}

	function isDocument(about: MailDraftSubject): boolean {
		const key = draftKey(about);
		return vscode.workspace.textDocuments.some(({ uri, isClosed }) => {
			const other = isClosed ? undefined : mailDrafts.aboutOf(uri);
			return other?.kind === 'mail' && draftKey(other) === key;
		});
	}

	async function begin(mail: number, isQuoting: boolean): Promise<OpenReply & { readonly text: string }> {
		const about = await replyDraft(context, subjectOf(mail), signal);
		const whole = drafts.draft(about)?.text ?? (await replyText(context, about, isQuoting, signal));
		const { head, text } = partsOf(whole);
		open.set(mail, { about, head });
		return { about, head, text };
	}

	return {
		handlers: {
			openReply: handler(replyWish, async ({ mail, isQuoting }): Promise<ReplyView | undefined> => {
				const { about, head, text } = await begin(mail, isQuoting);
				if (isDocument(about)) {
					await run('forge.lists.reply', subjectOf(mail));
					return undefined;
				}
				return { mail, head: headLines(head), text };
			}),
			keepReply: handler(typedReply, async ({ mail, text }): Promise<string | undefined> => {
				const { about, head } = open.get(mail) ?? (await begin(mail, false));
				if (isDocument(about)) {
					return vscode.l10n.t('This reply is open as a document. Write it there.');
				}
				// The headers may have changed in another window.
				const now = drafts.draft(about)?.text;
				const whole = `${now === undefined ? head : partsOf(now).head}${text}`;
				await drafts.keep(about, { text: text.trim() === '' ? '' : whole, atMs: clock.nowMs() });
				// The page closes a box only after it has seen the draft. Sending may remove the draft at once.
				await changed();
				return undefined;
			}),
			sendReply: action(itemId, (mail) => run('forge.lists.sendMail', subjectOf(mail))),
			discardReply: action(itemId, (mail) => run('forge.lists.discardMail', subjectOf(mail))),
			editReply: action(itemId, (mail) => run('forge.lists.reply', subjectOf(mail))),
		},
		/** Drafts of replies to these mails. */
		views(mails: ReadonlySet<number>): readonly ReplyView[] {
			return repliesTo(drafts, of).flatMap((about) => {
				const { answers: mail } = about;
				const whole =
					mail !== undefined && mails.has(mail) && !isDocument(about) ? drafts.draft(about)?.text : undefined;
				if (mail === undefined || whole === undefined) {
					return [];
				}
				const { head, text } = partsOf(whole);
				open.set(mail, { about, head });
				return [{ mail, head: headLines(head), text }];
			});
		},
	};
}

/** A draft's headers with the blank line, and its text. */
function partsOf(draft: string): { readonly head: string; readonly text: string } {
	const end = /\r?\n[ \t]*\r?\n/.exec(draft);
	const at = end ? end.index + end[0].length : draft.length;
	return { head: draft.slice(0, at), text: draft.slice(at) };
}

/** An empty Cc says nothing. */
function headLines(head: string): readonly string[] {
	return head
		.split('\n')
		.map((line) => visibleLine(line))
		.filter((line) => !/^(?:cc:)?\s*$/i.test(line));
}
