import * as vscode from 'vscode';
import type { CommandId } from '../../../commands/table.ts';
import { openLink } from '../../../editor/links/openLink.ts';
import { handler, type Handlers } from '../../../protocol/channel.ts';
import { clickedHref, itemId, nothing, personName, wholeNumber } from '../../../protocol/pageValues.ts';
import {
	copyWish,
	mailPart,
	threadLook,
	type CopiedPart,
	type MailPart,
	type ThreadProtocol,
} from '../../../protocol/threadProtocol.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { MailSubject, PatchFileSubject } from '../subjects/subjects.ts';
import { listWebLink, webLink } from '../subjects/webLink.ts';
import { bareId } from '../subjects/words.ts';
import { openAttachment, saveAttachment } from './attachments.ts';
import type { OpenThread, ThreadMaking } from './openThread.ts';

type Making = Pick<ThreadMaking, 'subject' | 'link'> & { readonly parts: ListsParts };
type Reading = 'load' | 'again' | 'readAgain' | 'readWhole' | 'keepLook';

/** Requests that the page may send. */
export function threadHandlers(page: OpenThread, making: Making): Handlers<ThreadProtocol> {
	return { ...reading(page, making), ...leading(page, making) };
}

function reading(page: OpenThread, { parts }: Making): Pick<Handlers<ThreadProtocol>, Reading> {
	const told = async (): Promise<undefined> => {
		await page.live.changed();
		return undefined;
	};
	return {
		load: handler(wholeNumber, (number) => page.live.start(number)),
		again: handler(nothing, async () => {
			await page.live.load();
			return told();
		}),
		readAgain: handler(itemId, async (mail) => {
			await page.texts().again(mail);
			return told();
		}),
		readWhole: handler(itemId, async (mail) => {
			await page.texts().readWhole(mail);
			return told();
		}),
		keepLook: handler(threadLook, async (look) => {
			await parts.threadLook.keep(look);
			return undefined;
		}),
	};
}

function leading(page: OpenThread, making: Making): Omit<Handlers<ThreadProtocol>, Reading> {
	const { parts, subject, link } = making;
	const { connectionKey, list } = subject;
	const mailAt = (id: number): MailSubject => mailSubjectOf(page, making, id);
	return {
		saveAttachment: handler(mailPart, async ({ mail, part = 0 }) => {
			await saveAttachment(page.live.connection(), { subject: mailAt(mail), index: part }, link.signal);
			return undefined;
		}),
		openAttachment: handler(mailPart, async ({ mail, part = 0 }) => {
			await openAttachment(page.live.connection(), { subject: mailAt(mail), index: part }, link.signal);
			return undefined;
		}),
		openDiff: handler(mailPart, (part) => run('forge.patchsets.openDiff', diffSubject(page, making, part))),
		showRaw: handler(mailPart, (part) => run('forge.patchsets.showRaw', diffSubject(page, making, part))),
		openDocument: handler(itemId, (mail) => run('forge.lists.openMail', mailAt(mail))),
		openPullChanges: handler(itemId, (mail) => run('forge.lists.openPullChanges', mailAt(mail))),
		copyFetchCommand: handler(itemId, (mail) => run('forge.lists.copyFetchCommand', mailAt(mail))),
		fetchPull: handler(itemId, (mail) => run('forge.lists.fetchPull', mailAt(mail))),
		openPerson: handler(personName, (name) => run('forge.people.open', { kind: 'person', connectionKey, name })),
		openPatchset: handler(itemId, (id) =>
			run('forge.patchsets.open', { kind: 'patchset', connectionKey, ref: { list, id } }),
		),
		copy: handler(copyWish, async ({ mail, what }) => {
			await vscode.env.clipboard.writeText(textOf(parts, mailAt(mail), what));
			return undefined;
		}),
		openOnWeb: handler(itemId, (mail) => run('forge.openOnWeb', mailAt(mail))),
		mark: handler(itemId, async (mail) => {
			link.mark(mailAt(mail));
			return undefined;
		}),
		reply: handler(itemId, (mail) => run('forge.lists.reply', mailAt(mail))),
		newMail: handler(nothing, () => run('forge.lists.newMail', { kind: 'list', connectionKey, ref: list })),
		follow: handler(clickedHref, async (href) => {
			try {
				const base = webLink(parts.connections, subject) ?? listWebLink(page.live.connection().instance, list);
				await openLink(parts.connections, { connectionKey, href, base }, link.signal);
			} catch (error) {
				// Not awaited: an open notice must not block the page.
				void parts.problems.show(error);
			}
			return undefined;
		}),
	};
}

async function run(command: CommandId, subject: unknown): Promise<undefined> {
	await vscode.commands.executeCommand(command, subject);
	return undefined;
}

/** Pages are untrusted: accepts only mails of the page's own thread. */
function mailSubjectOf(page: OpenThread, { subject }: Making, id: number): MailSubject {
	const { connectionKey, list } = subject;
	const mail = page.live
		.connection()
		.lists.knownThread(list, subject.id)
		?.find((each) => each.id === id);
	if (!mail) {
		throw new Error(`There is no mail ${id} in the thread`);
	}
	return { kind: 'mail', connectionKey, list, id, messageId: mail.messageId };
}

/** One file of a diff if the forge assigns the mail to a patchset, else the mail. */
function diffSubject(page: OpenThread, making: Making, { mail, part }: MailPart): MailSubject | PatchFileSubject {
	const subject = mailSubjectOf(page, making, mail);
	const patchsetId = page.live.connection().lists.knownMail(mail)?.patchsetId;
	const { connectionKey, list } = subject;
	return part === undefined || patchsetId === undefined
		? subject
		: { kind: 'patchFile', connectionKey, list, patchsetId, mailId: mail, fileIndex: part };
}

function textOf({ connections }: ListsParts, subject: MailSubject, what: CopiedPart): string {
	switch (what) {
		case 'messageId':
			return bareId(subject.messageId ?? '');
		case 'link':
			return webLink(connections, subject) ?? '';
	}
}
