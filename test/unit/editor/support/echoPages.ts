import '../../../support/vscodeStub.ts';
import type * as vscode from 'vscode';
import * as v from 'valibot';
import type { PageContent, PageLink, WindowPages } from '../../../../src/editor/pages/pageHost.ts';
import { handler, type Protocol } from '../../../../src/pages/protocol/pageProtocol.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../support/standFor.ts';

/** Protocol of a page that receives its own messages. */
export interface Echo extends Protocol {
	readonly requests: {
		readonly echo: { readonly in: string; readonly out: string };
		readonly write: { readonly in: string; readonly out: string };
	};
	readonly news: { readonly start: string; readonly changed: number };
}

/** The pages of a window, with one page to open. */
export interface EchoPages {
	readonly host: WindowPages;
	/** Links of all opened pages, in order. */
	readonly links: PageLink<Echo>[];
	readonly content: PageContent<Echo>;
	/** Files read so far. */
	readonly read: string[];
	readonly clock: FakeClock;
	/** The editor's setting, and whether the extension's files are readable. */
	readonly settings: { hasPreviews: boolean; canRead: boolean };
}

/** `start`: initial state of a page; `canRead` false: no file is readable at first. */
export async function echoPages(start?: string, canRead = true): Promise<EchoPages> {
	const { pageHost } = await import('../../../../src/editor/pages/pageHost.ts');
	const links: PageLink<Echo>[] = [];
	const read: string[] = [];
	const clock = fakeClock();
	const settings = { hasPreviews: true, canRead };
	const same = handler(v.string(), async (text) => text);
	const content: PageContent<Echo> = {
		type: 'forge.ticket',
		key: 'one',
		title: 'Title',
		icon: 'issues',
		subject: { kind: 'x', text: '"><script>alert(1)</script>' },
		script: 'ticket.js',
		styles: ['page.css'],
		keptOpenBy: ['write'],
		connect(page) {
			links.push(page);
			return { handlers: { echo: same, write: same }, start };
		},
	};
	const host = pageHost({
		extensionUri: standFor<vscode.Uri>(new URL('https://extension.test/x')),
		problems: quietProblems,
		nonce: () => 'abc',
		read: async (file) => {
			read.push(String(file));
			if (!settings.canRead) {
				throw new Error('There is no such file');
			}
			return `text of ${String(file).split('/').at(-1)}`;
		},
		hasPreviews: () => settings.hasPreviews,
		clock,
	});
	return { host, links, content, read, clock, settings };
}
