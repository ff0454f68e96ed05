import type { Answer, Call, OpenRoute } from '../shared/area.ts';
import { findOwned, open, param } from '../shared/area.ts';
import { errorPage, escapeHtml, linksPage, plainText, Refusal, stamp, webPage } from '../shared/answers.ts';
import type { Email, MailingList, Patchset } from './mailModel.ts';
import { type MailRoom, mboxLine } from './mailRoom.ts';

/**
 * Plain web pages (docs/protocol.md#web-addresses), for "open on the web". They show what anonymous readers may see.
 */
export function listPages(room: MailRoom): readonly OpenRoute[] {
	return [
		open('GET', '/', () => webPage('Lists', '<p>The mailing lists of the sample forge.</p>')),
		open('GET', '/~:owner', (call) => {
			const owner = param(call, 'owner');
			if (room.context.users.byName(owner.slice(1)) === undefined) {
				throw missing();
			}
			const lists = room.store.lists.filter((each) => `~${each.owner.name}` === owner && isPublic(each));
			return linksPage(
				owner,
				lists.map((each) => [pathOf(each), each.name]),
			);
		}),
		open('GET', '/~:owner/:list', (call) => {
			const list = findList(room, call);
			const starters = list.emails.filter(({ root }) => root === null).slice(-100);
			const rows = starters.toReversed().map((email) => [mailPath(email), email.message.subject] as const);
			return linksPage(`~${list.owner.name}/${list.name}`, [[`${pathOf(list)}/patches`, 'patches'], ...rows]);
		}),
		open('GET', '/~:owner/:list/patches', (call) => {
			const list = findList(room, call);
			return linksPage(
				`Patches on ~${list.owner.name}/${list.name}`,
				list.patchsets
					.toReversed()
					.map((each) => [`${pathOf(list)}/patches/${each.id}`, `${each.subject} v${each.version} (${each.status})`]),
			);
		}),
		open('GET', '/~:owner/:list/patches/:patchset', (call) => patchsetPage(findPatchset(room, call))),
		open('GET', '/~:owner/:list/patches/:patchset/mbox', (call) =>
			plainText(200, findPatchset(room, call).patches.map(mboxEntry).join('')),
		),
		// A Message-ID may hold a slash, hence the open end.
		open('GET', '/~:owner/:list/:mail*', (call) => mailPage(findList(room, call), param(call, 'mail'))),
	];
}

function findList({ context, store }: MailRoom, call: Call): MailingList {
	const owner = context.users.byName(param(call, 'owner').slice(1));
	const found = findOwned(store.lists, owner, param(call, 'list'));
	if (found === undefined || !isPublic(found)) {
		throw missing();
	}
	return found;
}

function findPatchset(room: MailRoom, call: Call): Patchset {
	const found = findList(room, call).patchsets.find((each) => String(each.id) === param(call, 'patchset'));
	if (found === undefined) {
		throw missing();
	}
	return found;
}

function mailPage(list: MailingList, rest: string): Answer {
	const [, id = '', view = ''] = /^(<.+>)(?:\/(raw|mbox))?$/.exec(rest) ?? [];
	const email = list.emails.find((each) => each.messageId === id);
	if (email === undefined) {
		throw missing();
	}
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
	const title = `${patchset.subject} v${patchset.version} (${patchset.status})`;
	return webPage(title, mails.map(showMail).join('\n'));
}

function showMail({ messageId, message, createdMs }: Email): string {
	return `<section id="${escapeHtml(messageId)}"><p>${escapeHtml(message.from)}, ${stamp(createdMs)}</p>
<pre>${escapeHtml(message.text)}</pre></section>`;
}

function mboxEntry(email: Email): string {
	return `${mboxLine(email)}\n${email.text.replaceAll('\r\n', '\n')}\n`;
}

function isPublic({ permissions }: MailingList): boolean {
	return permissions.nonsubscriber.includes('browse');
}

function pathOf({ owner, name }: MailingList): string {
	return `/~${owner.name}/${name}`;
}

function mailPath({ list, messageId }: Email): string {
	return `${pathOf(list)}/${encodeURIComponent(messageId)}`;
}

function missing(): Refusal {
	return new Refusal(errorPage(404));
}
