// The published face. Sources of this repository import the files.
import { openNet, type Net } from './net.ts';
import type { Forge } from './port/forge.ts';
import { ForgeError, isForgeError } from './port/forgeError.ts';
import type { ForgeInstance } from './port/instance.ts';
import type { Email, MailingList, Patchset } from './port/list.ts';
import type { Page, Pages } from './port/page.ts';
import type { Commit, Repository, Tree } from './port/repository.ts';
import type { Ticket } from './port/ticket.ts';
import type { Tracker } from './port/tracker.ts';
import type { Webhook } from './port/webhook.ts';

export type {
	Commit,
	Email,
	Forge,
	ForgeInstance,
	MailingList,
	Net,
	Page,
	Pages,
	Patchset,
	Repository,
	Ticket,
	Tracker,
	Tree,
	Webhook,
};
export { ForgeError, isForgeError, openNet };
