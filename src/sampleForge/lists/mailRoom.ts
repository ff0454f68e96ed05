import type { Context } from '../shared/area.ts';
import type { KeptPages } from '../shared/keptPages.ts';
import type { ListAccess } from './listAccess.ts';
import type { MailHooks } from './mailHooks.ts';
import type { MailShapes } from './mailShapes.ts';
import type { MailStore } from './mailStore.ts';

/** Shared state of the lists area's routes and mail door. */
export interface MailRoom {
	readonly context: Context;
	readonly store: MailStore;
	readonly access: ListAccess;
	readonly shapes: MailShapes;
	readonly hooks: MailHooks;
	readonly pages: KeptPages;
}
