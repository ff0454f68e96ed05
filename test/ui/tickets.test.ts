import { inOneWindow } from './support/oneWindow.ts';
import { dialectsOf } from './support/sharedForge.ts';
import { findTickets } from './tickets/find.ts';
import { pageThatFollows } from './tickets/pageThatFollows.ts';
import { ticketTree } from './tickets/ticketTree.ts';
import { trackers } from './tickets/trackers.ts';
import { slowAndFailingViews } from './tickets/views.ts';

for (const dialect of dialectsOf('field')) {
	inOneWindow('tickets', dialect, [
		// What does not depend on the dialect is shown in one. First, because what is unfolded is asked for as well.
		...(dialect === 'field' ? [slowAndFailingViews] : []),
		ticketTree,
		pageThatFollows,
		trackers,
		findTickets,
	]);
}
