import type { Fault } from './fault.ts';
import { accountsFaults } from './pool/accounts.ts';
import { appFaults } from './pool/app.ts';
import { editorFaults } from './pool/editor.ts';
import { graphqlFaults } from './pool/graphql.ts';
import { inboxFaults } from './pool/inbox.ts';
import { listenerFaults } from './pool/listener.ts';
import { listsFaults } from './pool/lists.ts';
import { mailFaults } from './pool/mail.ts';
import { commandFaults } from './pool/commands.ts';
import { netFaults } from './pool/net.ts';
import { pagesFaults } from './pool/pages.ts';
import { patchesFaults } from './pool/patches.ts';
import { peopleFaults } from './pool/people.ts';
import { repositoriesFaults } from './pool/repositories.ts';
import { reviewFaults } from './pool/review.ts';
import { sampleForgeFaults } from './pool/sampleForge.ts';
import { searchFaults } from './pool/search.ts';
import { signInFaults } from './pool/signIn.ts';
import { stateFaults } from './pool/state.ts';
import { textFaults } from './pool/text.ts';
import { threadsFaults } from './pool/threads.ts';
import { ticketsFaults } from './pool/tickets.ts';
import { webhooksFaults } from './pool/webhooks.ts';
import { wireFaults } from './pool/wire.ts';

/**
 * Faults that can be planted, chosen by hand. Each changes what somebody can notice; a change that nobody could notice
 * proves nothing about the tests. A unit test holds that every room has some.
 */
export const pool: readonly Fault[] = [
	...wireFaults,
	...graphqlFaults,
	...commandFaults,
	...netFaults,
	...signInFaults,
	...listenerFaults,
	...stateFaults,
	...searchFaults,
	...textFaults,
	...mailFaults,
	...patchesFaults,
	...reviewFaults,
	...ticketsFaults,
	...listsFaults,
	...peopleFaults,
	...inboxFaults,
	...repositoriesFaults,
	...accountsFaults,
	...webhooksFaults,
	...appFaults,
	...editorFaults,
	...pagesFaults,
	...threadsFaults,
	...sampleForgeFaults,
];
