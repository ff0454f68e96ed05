import type { DraftView, TicketPageStart, TicketPageState, TicketProtocol } from '../../protocol/ticketProtocol.ts';
import { h } from '../dom.ts';
import { connectHost } from '../host.ts';
import { followLinks } from '../links.ts';
import { times } from '../times.ts';
import { composer } from './composer.ts';
import { description, header } from './header.ts';
import { keptFrom, type Kept } from './kept.ts';
import { failure, timeline } from './timeline.ts';

/** Less than the second that nobody should have to type twice. */
const draftPauseMs = 300;

const host = connectHost<TicketProtocol>();
const root = document.querySelector<HTMLElement>('#page') ?? document.body;
const subject: unknown = JSON.parse(root.dataset['subject'] ?? 'null');
let kept: Kept = keptFrom(host.kept);

function keep(change: Partial<Kept>): void {
	kept = { ...kept, ...change };
	host.keep({ subject, ...kept });
}

let sending: ReturnType<typeof setTimeout> | undefined;

/** The editor writes out what a page keeps only now and then, so the host keeps the draft as well, soon after a pause. */
function keepDraft(text: string, resolution: string | undefined): void {
	const draft = { text, atMs: Date.now() };
	keep({ draft, resolution });
	clearTimeout(sending);
	const send = (): void => void host.link.ask('keepDraft', draft).catch(() => undefined);
	if (text === '') {
		send();
	} else {
		sending = setTimeout(send, draftPauseMs);
	}
}

function latest(own: DraftView, hosts: DraftView | undefined): DraftView {
	return hosts && hosts.atMs > own.atMs ? hosts : own;
}

/** Builds the page once; later states only change what is different. */
function build(start: TicketPageStart): (state: TicketPageState) => void {
	const { strings, resolutions } = start;
	const clock = times(start.locale);
	const top = h('div');
	const spoken = h('div', { class: 'read-aloud', role: 'status' });
	const say = (text: string): void => {
		spoken.textContent = text;
	};
	const events = timeline({
		strings,
		times: clock,
		order: kept.order,
		onOrder: (order) => keep({ order }),
		older: async () => show(await host.link.ask('older', undefined)),
		again: () => {
			host.link.ask('again', undefined).then(show, (error: unknown) => say(messageOf(error)));
		},
	});
	const writer = composer({
		strings,
		resolutions,
		draft: latest(kept.draft, start.draft).text,
		resolution: kept.resolution,
		keep: keepDraft,
		send: async (send) => show(await host.link.ask('send', send)),
		preview: (text) => host.link.ask('preview', text),
	});
	let drawn = '';

	function show(state: TicketPageState): void {
		const { timeline: view, canComment: _comment, canTriage: _triage, ...rest } = state;
		const said = JSON.stringify(rest);
		if (said !== drawn) {
			drawn = said;
			const doings = {
				strings,
				times: clock,
				copyReference: () => {
					host.link.ask('copyReference', undefined).then(
						() => say(strings.copied),
						(error: unknown) => say(messageOf(error)),
					);
				},
				openOnWeb: () => void host.link.ask('openOnWeb', undefined).catch((error: unknown) => say(messageOf(error))),
			};
			top.replaceChildren(header(state, doings), description(state, strings));
		}
		events.show(view);
		writer.show(state);
	}

	root.replaceChildren(h('main', { class: 'column' }, top, events.element, writer.element, spoken));
	host.link.on('focusComposer', () => writer.focus());
	if (start.focusComposer) {
		writer.focus();
	}
	return show;
}

async function open(): Promise<void> {
	root.replaceChildren(h('div', { class: 'progress', 'aria-hidden': 'true' }));
	const start = await host.link.ask('load', undefined);
	if (!start.state) {
		const notice = failure(start.failure ?? start.strings.failedToLoad, start.strings, () => void open());
		root.replaceChildren(h('main', { class: 'column' }, h('div', { class: 'notice', role: 'alert' }, ...notice)));
		return;
	}
	const show = build(start);
	show(start.state);
	host.link.on('changed', show);
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

keep({});
host.link.on('reload', () => void open());
followLinks(document.body, (href) => {
	// A link that the host does not follow is answered by nothing happening, like any dead link.
	host.link.ask('follow', href).catch(() => undefined);
});
void open();
