import type { Context } from '../shared/area.ts';
import type { KeptPages } from '../shared/keptPages.ts';
import type { ListAccess } from './listAccess.ts';
import type { MailHooks } from './mailHooks.ts';
import type { MailShapes } from './mailShapes.ts';
import type { MailStore } from './mailStore.ts';

/** What the routes and the mail door of the mailing-list area share. */
export interface MailRoom {
	readonly context: Context;
	readonly store: MailStore;
	readonly access: ListAccess;
	readonly shapes: MailShapes;
	readonly hooks: MailHooks;
	readonly pages: KeptPages;
}
