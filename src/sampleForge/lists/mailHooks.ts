import { type Context, type User, userTarget } from '../shared/area.ts';
import type { Email, MailingList, Patchset, Subscription } from './mailModel.ts';
import type { MailShapes } from './mailShapes.ts';
import type { Received } from './mailStore.ts';

/** Listener for events of the lists area. */
export interface MailListener {
	listCreated(list: MailingList): void;
	listUpdated(list: MailingList): void;
	listDeleted(list: MailingList): void;
	/** The mail, then the set that it completed. */
	received(received: Received): void;
}

/** Notifies webhooks (docs/protocol.md#events-sent) and listeners of events in the lists area. */
export interface MailHooks extends MailListener {
	listen(listener: Partial<MailListener>): void;
	subscribed(subscription: Subscription): void;
	unsubscribed(subscription: Subscription): void;
}

export const listTarget = (list: MailingList): string => `list:${list.id}`;

export function createMailHooks({ webhooks }: Context, shapes: MailShapes): MailHooks {
	const tellUser = (user: User, event: string, payload: object): void =>
		webhooks.emit({ family: 'listsUser', target: userTarget(user), event, payload });
	const tellList = (list: MailingList, event: string, payload: object): void =>
		webhooks.emit({ family: 'listsList', target: listTarget(list), event, payload });
	const mail = (email: Email): void => {
		if (email.sender !== null) {
			tellUser(email.sender, 'email:received', shapes.email(email));
		}
		tellList(email.list, 'post:received', shapes.email(email));
	};
	const set = (patchset: Patchset): void => tellList(patchset.list, 'patchset:received', shapes.patchset(patchset));
	const listeners: Partial<MailListener>[] = [];
	const tell = (say: (listener: Partial<MailListener>) => void): void => listeners.forEach(say);
	return {
		listen: (listener) => void listeners.push(listener),
		listCreated(list) {
			tellUser(list.owner, 'list:create', shapes.list(list));
			tell((listener) => listener.listCreated?.(list));
		},
		listUpdated(list) {
			tellList(list, 'list:update', shapes.list(list));
			tell((listener) => listener.listUpdated?.(list));
		},
		listDeleted(list) {
			tellList(list, 'list:delete', shapes.list(list));
			webhooks.drop('listsList', listTarget(list));
			tell((listener) => listener.listDeleted?.(list));
		},
		received(received) {
			mail(received.email);
			if (received.patchset !== null) {
				set(received.patchset);
			}
			tell((listener) => listener.received?.(received));
		},
		subscribed: (each) => tellUser(each.user, 'subscription:create', shapes.subscription(each)),
		unsubscribed: (each) => tellUser(each.user, 'subscription:remove', { id: each.id }),
	};
}
