import type { Answer, Call, OpenRoute } from '../shared/area.ts';
import { open, param } from '../shared/area.ts';
import { escapeHtml, linksPage, noPage, plainText, stamp, webPage } from '../shared/answers.ts';
import { need } from '../shared/checks.ts';
import { addressOf, ownedPages } from '../shared/ownedPages.ts';
import type { Email, MailingList, Patchset } from './mailModel.ts';
import { type MailRoom, mboxLine } from './mailRoom.ts';

/** Plain web pages, for "open on the web". They show what anonymous readers may see. */
export function listPages({ context, store }: MailRoom): readonly OpenRoute[] {
	const { ownerPage, find } = ownedPages(context.users, store.lists, ({ permissions }) =>
		permissions.nonsubscriber.includes('browse'),
	);
	const findPatchset = (call: Call): Patchset => {
		const wanted = param(call, 'patchset');
		const patchset = find(call).patchsets.find(({ id }) => String(id) === wanted);
		return need(patchset, noPage);
	};
	return [
		open('GET', '/', () => webPage('Lists', '<p>The mailing lists of the sample forge.</p>')),
		ownerPage,
		open('GET', '/~:owner/:name', (call) => {
			const list = find(call);
			const starters = list.emails.filter(({ root }) => root === null).slice(-100);
			const rows = starters
				.toReversed()
				.map(
					({ messageId, message }) => [`${addressOf(list)}/${encodeURIComponent(messageId)}`, message.subject] as const,
				);
			return linksPage(addressOf(list).slice(1), [[`${addressOf(list)}/patches`, 'patches'], ...rows]);
		}),
		open('GET', '/~:owner/:name/patches', (call) => {
			const list = find(call);
			const rows = list.patchsets.toReversed();
			return linksPage(
				`Patches on ${addressOf(list).slice(1)}`,
				rows.map((each) => [`${addressOf(list)}/patches/${each.id}`, titleOf(each)]),
			);
		}),
		open('GET', '/~:owner/:name/patches/:patchset', (call) => patchsetPage(findPatchset(call))),
		open('GET', '/~:owner/:name/patches/:patchset/mbox', (call) =>
			plainText(200, findPatchset(call).patches.map(mboxEntry).join('')),
		),
		// A Message-ID may hold a slash, hence the open end.
		open('GET', '/~:owner/:name/:mail*', (call) => mailPage(find(call), param(call, 'mail'))),
	];
}

function mailPage(list: MailingList, rest: string): Answer {
	const [, id = '', view = ''] = /^(<.+>)(?:\/(raw|mbox))?$/.exec(rest) ?? [];
	const email = need(
		list.emails.find((each) => each.messageId === id),
		noPage,
	);
	if (view === 'raw') {
		return plainText(200, email.text);
	}
	if (view === 'mbox') {
		return plainText(200, [email, ...email.answers].map(mboxEntry).join(''));
	}
	const shown = [email, ...email.answers].map(showMail);
	return webPage(email.message.subject, shown.join('\n'));
}

function patchsetPage(patchset: Patchset): Answer {
	const mails = patchset.coverLetter === null ? patchset.patches : [patchset.coverLetter, ...patchset.patches];
	return webPage(titleOf(patchset), mails.map(showMail).join('\n'));
}

function titleOf({ subject, version, status }: Patchset): string {
	return `${subject} v${version} (${status})`;
}

function showMail({ messageId, message, createdMs }: Email): string {
	return `<section id="${escapeHtml(messageId)}"><p>${escapeHtml(message.from)}, ${stamp(createdMs)}</p>
<pre>${escapeHtml(message.text)}</pre></section>`;
}

function mboxEntry(email: Email): string {
	return `${mboxLine(email)}\n${email.text.replaceAll('\r\n', '\n')}\n`;
}
