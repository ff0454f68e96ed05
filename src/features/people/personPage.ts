import * as vscode from 'vscode';
import { openExactly } from '../../editor/links/openExactly.ts';
import { openLink } from '../../editor/links/openLink.ts';
import type { PageContent } from '../../editor/pages/pageHost.ts';
import { handler, type Handlers } from '../../protocol/channel.ts';
import { clickedHref, nothing } from '../../protocol/pageValues.ts';
import { personSection, rowName, type PersonProtocol } from '../../protocol/personProtocol.ts';
import { visibleLine } from '../../text/visible.ts';
import { OpenPerson, type PersonMaking } from './openPerson.ts';
import { keepRow, openRow } from './openRow.ts';
import type { PeopleParts } from './peopleParts.ts';
import type { PersonSubject } from './subjects.ts';
import { personWebLink } from './webLink.ts';

/** The page of one person. */
export function personPage(
	parts: PeopleParts,
	subject: PersonSubject,
	ways: Pick<PersonMaking, 'renderer' | 'section'>,
): PageContent<PersonProtocol> {
	return {
		type: 'forge.person',
		key: `${subject.connectionKey} ${subject.name.toLowerCase()}`,
		title: shortName(subject),
		icon: 'person',
		subject,
		script: 'person.js',
		styles: ['page.css', 'rows.css', 'personPage.css'],
		keptOpenBy: ['follow'],
		connect(link) {
			const making = { subject, link, ...ways };
			const page = new OpenPerson(parts, making);
			return { handlers: pageHandlers(parts, page, making), start: page.open() };
		},
	};
}

function shortName({ name }: PersonSubject): string {
	const line = visibleLine(name);
	const characters = Array.from(line);
	return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : line;
}

/** Messages that the page may send. */
function pageHandlers(
	{ connections, problems }: PeopleParts,
	page: OpenPerson,
	{ subject, link }: PersonMaking,
): Handlers<PersonProtocol> {
	return {
		...page.pieces.handlers,
		load: handler(nothing, async () => page.start()),
		more: handler(personSection, async (section) => {
			await page.reading.more(page.pieces.connection(), section);
			return undefined;
		}),
		open: handler(rowName, async (row) => {
			// Not awaited: the command may ask a question, and an open question must not block the page.
			openRow(page.world(), row, link.signal).catch((error: unknown) => problems.show(error));
			return undefined;
		}),
		keep: handler(rowName, async (row) => {
			await keepRow(page.world(), row, link.signal);
			void page.pieces.changed();
			return undefined;
		}),
		follow: handler(clickedHref, async (href) => {
			try {
				const { instance, key } = page.pieces.connection();
				const base = personWebLink(instance, subject.name);
				await openLink(connections, { connectionKey: key, href, base }, link.signal);
			} catch (error) {
				// Not awaited: the notice may stay open for hours.
				void problems.show(error);
			}
			return undefined;
		}),
		copyName: handler(nothing, async () => {
			await vscode.env.clipboard.writeText(page.world().person?.account ?? subject.name);
			return undefined;
		}),
		openOnWeb: handler(nothing, async () => {
			const address = personWebLink(page.pieces.connection().instance, subject.name);
			await openExactly(address);
			return undefined;
		}),
	};
}
