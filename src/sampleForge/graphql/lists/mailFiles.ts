import type { Answer } from '../../shared/area.ts';
import { ProcessEnds } from '../../shared/answers.ts';
import type { Email } from '../../lists/mailModel.ts';
import { mboxLine } from '../../lists/mailRoom.ts';
import type { GraphqlService } from '../door.ts';
import { statusOf, type Asking, sees } from './listShapes.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Raw mails, and mailboxes of threads, patchsets and lists (docs/protocol.md#graphql-mailboxes). */
export function mailFile(
	asking: Asking,
	{ path, query }: Parameters<NonNullable<GraphqlService['files']>>[0],
): Answer | undefined {
	const [, kind, number] =
		/^\/query\/(?:(email)\/(\d+))$/.exec(path) ?? /^\/query\/(thread|patchset|list)\/(\d+)\.mbox$/.exec(path) ?? [];
	const { store, context } = asking.room;
	const id = Number(number);
	const firstOf = (): Email | undefined => store.findEmails(String(id))[0];
	switch (kind) {
		case 'email': {
			const email = firstOf();
			if (email === undefined) {
				// Observed services crash here and close the connection.
				throw new ProcessEnds(`No mail ${id}`);
			}
			return file('message/rfc822', sees(asking, email.list) ? email.bytes : '');
		}
		case 'thread': {
			const root = firstOf();
			return root?.root === null ? mailbox(asking, [root, ...root.answers]) : missing;
		}
		case 'patchset': {
			const patchset = store.findPatchset(id);
			const added = patchset && `X-Sourcehut-Patchset-Final: ${statusOf(asking, patchset).toLowerCase()}\n`;
			return patchset === undefined ? missing : mailbox(asking, patchset.patches, added);
		}
		case 'list': {
			const since = Number(query.get('since') ?? Infinity);
			const list = store.lists.find((each) => each.id === id);
			return list === undefined
				? missing
				: mailbox(
						asking,
						list.emails.filter(({ createdMs }) => createdMs >= context.nowMs() - since * dayMs),
					);
		}
		case undefined:
		default: {
			return undefined;
		}
	}
}

/** Empty for an invisible list. Two line ends follow each mail, even the last one. */
function mailbox(asking: Asking, mails: readonly Email[], added = ''): Answer {
	const seen = mails.filter(({ list }) => sees(asking, list));
	return file(
		'application/mbox',
		Buffer.concat(
			seen.flatMap((email) => [
				Buffer.from(`${lineBefore(email)}\n${added}`),
				quoted(email.bytes),
				Buffer.from('\n\n'),
			]),
		),
	);
}

function lineBefore(email: Email): string {
	return mboxLine(email).replace('nobody', email.message.fromAddress);
}

/** Marks lines that look like the next mail. A line with the mark in the original is ambiguous afterwards. */
function quoted(bytes: Uint8Array): Uint8Array {
	const text = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
	return Buffer.from(text.replaceAll(/(?<![^\n])From /g, '>From '), 'latin1');
}

function file(type: string, body: string | Uint8Array): Answer {
	return { status: 200, headers: { 'Content-Type': type }, body };
}

const missing: Answer = {
	status: 404,
	headers: { 'Content-Type': 'text/plain; charset=utf-8' },
	body: 'Not found\r\n',
};
