import type { Dialect } from '../support/sampleForge.ts';
import { inRest } from '../support/parts.ts';
import { inOneWindow } from './support/oneWindow.ts';
import { dialectsOf } from './support/sharedForge.ts';
import { drafts } from './tickets/drafts.ts';
import { findTickets } from './tickets/find.ts';
import { newTickets } from './tickets/newTicket.ts';
import { pageThatFollows } from './tickets/pageThatFollows.ts';
import { ticketTree } from './tickets/ticketTree.ts';
import { trackers } from './tickets/trackers.ts';
import { triageByKeyboard } from './tickets/keyboard.ts';
import { slowAndFailingViews } from './tickets/views.ts';
import { writeKills } from './tickets/writeKills.ts';

for (const dialect of dialectsOf('field')) {
	inOneWindow('tickets', dialect, [
		// Tests that don't depend on the dialect run in one. They come first, because unfolded rows cause further
		// requests.
		...(dialect === 'field' ? [slowAndFailingViews] : []),
		ticketTree,
		(way: Dialect) => inRest(pageThatFollows(way)),
		trackers,
		(way: Dialect) => inRest(findTickets(way)),
		triageByKeyboard,
		// They reload the window, and submit a ticket.
		...(dialect === 'field' ? [() => inRest(writeKills())] : []),
		(way: Dialect) => inRest(drafts(way)),
		(way: Dialect) => inRest(newTickets(way)),
	]);
}
