import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';

/** Keeps a trace of every context of a browser as a file of the folder, written when the context or the browser closes. */
export function keepTraces(browser: Browser, folder: string): void {
	const open = new Map<BrowserContext, string>();
	const [newContext, closeBrowser] = [browser.newContext.bind(browser), browser.close.bind(browser)];
	let count = 0;
	const keep = async (context: BrowserContext): Promise<void> => {
		const path = open.get(context);
		if (path !== undefined) {
			open.delete(context);
			await context.tracing.stop({ path });
		}
	};
	browser.newContext = async (options) => {
		const context = await newContext(options);
		count += 1;
		open.set(context, join(folder, `${process.pid}-${count}.zip`));
		await context.tracing.start({ screenshots: true, snapshots: true });
		const closeContext = context.close.bind(context);
		context.close = async (closing) => {
			await keep(context);
			await closeContext(closing);
		};
		return context;
	};
	browser.close = async (closing) => {
		for (const context of open.keys()) {
			await keep(context);
		}
		await closeBrowser(closing);
	};
}
