import type { MailReading, ReadableMail } from 'patchmail/mail/readableMail.ts';
import type { SeriesMail } from 'patchmail/series/seriesReading.ts';
import { someTimeMs } from './makeTicket.ts';

/** A parsed mail with defaults. */
export function makeReading(change: Partial<ReadableMail> = {}): MailReading {
	const body = change.body ?? 'Hello\n';
	return {
		kind: 'read',
		mail: {
			from: [{ name: 'Bob Builder', address: 'bob@forge.test' }],
			to: [],
			cc: [],
			replyTo: [],
			date: undefined,
			dateMs: undefined,
			subject: '',
			messageId: undefined,
			inReplyTo: undefined,
			references: [],
			headers: [],
			body,
			text: body,
			isFlowed: false,
			attachments: [],
			cautions: [],
			doubts: [],
			gitPatch: undefined,
			toGit: undefined,
			...change,
		},
	};
}

/** A mail of a thread; `from` is its address. */
export function makeSeriesMail({
	body,
	from = 'bob@forge.test',
	...change
}: Partial<SeriesMail> & { readonly body?: string; readonly from?: string } = {}): SeriesMail {
	const id = change.id ?? 1;
	return {
		id,
		messageId: `<m${id}@forge.test>`,
		parentId: undefined,
		createdMs: someTimeMs + id * 1000,
		subject: 'Welcome',
		account: undefined,
		reading: makeReading({
			body: body ?? 'Hello\n',
			text: body ?? 'Hello\n',
			from: [{ name: '', address: from }],
		}),
		...change,
	};
}

/** The text of a patch mail that adds a line to `path`. */
export function patchText(path: string, message = ''): string {
	return [
		message,
		'---',
		` ${path} | 1 +`,
		' 1 file changed, 1 insertion(+)',
		'',
		`diff --git a/${path} b/${path}`,
		'index 1234567..89abcde 100644',
		`--- a/${path}`,
		`+++ b/${path}`,
		'@@ -1,2 +1,3 @@',
		' one',
		'+two',
		' three',
		'-- ',
		'2.39.5',
		'',
	].join('\n');
}
