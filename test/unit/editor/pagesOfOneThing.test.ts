import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { PageContent, PageHostParts } from '../../../src/editor/pageHost.ts';
import { handler, type Protocol } from '../../../src/protocol/channel.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { standFor } from '../../support/standFor.ts';
import { resetStub, stubbed, StubbedPanel } from '../../support/vscodeValues.ts';

const { pageHost } = await import('../../../src/editor/pageHost.ts');

interface Nothing extends Protocol {
	readonly requests: { readonly wait: { readonly in: string; readonly out: string } };
	readonly news: { readonly start: string };
}

const content: PageContent<Nothing> = {
	type: 'forge.ticket',
	key: 'one',
	title: 'Title',
	icon: 'issues',
	subject: { kind: 'x' },
	script: 'ticket.js',
	styles: [],
	connect: () => ({ handlers: { wait: handler(v.string(), async (text) => text) }, start: undefined }),
};

suite('the tab of a page', () => {
	setup(resetStub);

	test('is the only one of its thing: one that the editor brings back takes the place of the open one', () => {
		const extensionUri = standFor<PageHostParts['extensionUri']>(new URL('https://extension.test/x'));
		const host = pageHost({
			extensionUri,
			problems: quietProblems,
			nonce: () => 'abc',
			read: () => Promise.reject(new Error('Nothing is read')),
		});
		host.open(content, 'taken');
		const [open] = stubbed.panels;
		assert.ok(open);
		const restored = new StubbedPanel('forge.ticket', 'Title');
		host.restore(standFor<vscode.WebviewPanel>(restored), content);
		assert.deepEqual([open.isDisposed, restored.isDisposed], [true, false]);
		host.dispose();
	});
});
