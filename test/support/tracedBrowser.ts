import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { tracesFolder } from '../harness/places.ts';

/** Keeps a trace of everything that happens in a browser, one file per context, to be looked at when it has ended. */
export function tracedBrowser(browser: Browser): Browser {
	const open = browser.newContext.bind(browser);
	const closeBrowser = browser.close.bind(browser);
	const contexts = new Set<BrowserContext>();
	let count = 0;
	browser.newContext = async (options) => {
		const context = await open(options);
		await context.tracing.start({ screenshots: true, snapshots: true });
		const close = context.close.bind(context);
		const path = join(tracesFolder, `${process.pid}-${++count}.zip`);
		contexts.add(context);
		context.close = async (how) => {
			if (contexts.delete(context)) {
				await context.tracing.stop({ path });
			}
			await close(how);
		};
		return context;
	};
	browser.close = async (how) => {
		await Promise.all([...contexts].map((context) => context.close()));
		await closeBrowser(how);
	};
	return browser;
}
