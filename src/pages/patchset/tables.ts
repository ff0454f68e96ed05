import type { NamedTicketView, StandingView, TrailerView } from '../protocol/patchsetView.ts';
import { h } from '../dom.ts';
import { icon } from '../icons.ts';
import { linkButton } from '../mailBlocks.ts';
import { personParts } from '../mailPeople.ts';
import { pilled } from '../texts.ts';
import type { PageContext } from './pageContext.ts';

/** Data for tables. */
export type TablesView = Pick<StandingView, 'trailers' | 'tickets' | 'versions'>;

/** Trailers, tickets and versions, without empty tables. */
export function tables({ trailers, tickets, versions }: TablesView, context: PageContext): readonly HTMLElement[] {
	return [
		...(trailers.length === 0 ? [] : [trailerTable(trailers, context)]),
		...(tickets.length === 0 ? [] : [ticketList(tickets, context)]),
		...(versions.length < 2 ? [] : [versionTable(versions, context)]),
	];
}

function trailerTable(trailers: readonly TrailerView[], context: PageContext): HTMLElement {
	const { strings } = context;
	const rows = trailers.map(({ key, person, patches, standing, isForOther, mailId }) => [
		linkButton(key, () => context.openMail(mailId), person.name),
		h('span', {}, ...personParts(person, context.people)),
		patches,
		isForOther ? h('span', { class: 'for-other' }, icon('warning'), standing) : standing,
	]);
	const heads = [strings.trailer, strings.person, strings.forPatches, strings.standing];
	return h('section', { class: 'part' }, h('h2', {}, strings.trailers), table(heads, rows));
}

function ticketList(tickets: readonly NamedTicketView[], { strings }: PageContext): HTMLElement {
	const rows = tickets.map(({ text, href, title, trailer }) =>
		h(
			'li',
			{},
			...(trailer === '' ? [] : [h('span', { class: 'quiet' }, pilled(trailer)), ' ']),
			href === undefined ? pilled(text) : h('a', { href }, pilled(text)),
			...(title === '' ? [] : [' ', pilled(title)]),
			...(href === undefined ? [' ', h('span', { class: 'quiet' }, strings.ofUnknown)] : []),
		),
	);
	return h('section', { class: 'part' }, h('h2', {}, strings.tickets), h('ul', { class: 'plain' }, ...rows));
}

function versionButtons(
	{ id, of, isReviewed }: { readonly id: number; readonly of: string; readonly isReviewed: boolean },
	{ strings, compareVersion, openVersionChanges, unlinkVersion }: PageContext,
): readonly (HTMLElement | string)[] {
	const changes = isReviewed ? strings.changesSinceReview : strings.versionChanges;
	return [
		[strings.compareVersion, compareVersion] as const,
		[changes, openVersionChanges] as const,
		[strings.unlinkVersion, unlinkVersion] as const,
	].flatMap(([text, run]) => [' · ', linkButton(text, () => run(id), of)]);
}

function versionTable(versions: TablesView['versions'], context: PageContext): HTMLElement {
	const { strings } = context;
	const rows = versions.map(({ id, version, title, status, isThis, isReviewed, link }) =>
		h(
			'li',
			{ 'aria-current': isThis ? 'true' : undefined },
			isThis ? h('strong', {}, version) : linkButton(version, () => context.openPatchset(id), title),
			' ',
			pilled(title),
			' ',
			h('span', { class: 'quiet' }, pilled([status, isThis ? strings.thisVersion : link].join(' · '))),
			...(isThis ? [] : versionButtons({ id, of: `${version} ${title}`, isReviewed }, context)),
		),
	);
	return h('section', { class: 'part' }, h('h2', {}, strings.versions), h('ul', { class: 'plain' }, ...rows));
}

function table(heads: readonly string[], rows: readonly (readonly (Node | string)[])[]): HTMLElement {
	return h(
		'table',
		{},
		h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
		h('tbody', {}, ...rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, cell))))),
	);
}
