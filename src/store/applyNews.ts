import type { News } from 'sourcehut/port/news.ts';
import type { Connection } from './connection.ts';

/** Dispatches news to its store. */
export function applyNews({ tickets, lists, repositories }: Connection, news: News): void {
	switch (news.kind) {
		case 'trackerChanged':
		case 'trackerDeleted':
		case 'ticketChanged':
		case 'ticketDeleted':
		case 'labelRenamed':
		case 'eventsAdded':
			return tickets.apply(news);
		case 'listChanged':
		case 'listDeleted':
		case 'subscribed':
		case 'unsubscribed':
		case 'mailArrived':
		case 'patchsetChanged':
			return lists.apply(news);
		case 'repositoryCreated':
		case 'repositoryChanged':
		case 'repositoryRenamed':
		case 'repositoryDeleted':
		case 'defaultBranchSet':
		case 'referencesMoved':
			return repositories.apply(news);
	}
}
