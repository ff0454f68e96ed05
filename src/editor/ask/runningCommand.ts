import { AsyncLocalStorage } from 'node:async_hooks';

/** Titles of the commands that are running: several can wait for answers at once. */
const running = new AsyncLocalStorage<string>();

/** Runs a command under its title, so that its questions can name it. */
export function asCommand<T>(title: string, work: () => Promise<T>): Promise<T> {
	return running.run(title.replace(/…$/, ''), work);
}

/** The title of the command that asks; `undefined` outside of commands. */
export function runningCommand(): string | undefined {
	return running.getStore();
}
