import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server on the loopback that keeps what it gets. */
export interface SmtpSink {
	readonly port: number;
	/** Recipients and raw mail, in order of arrival. */
	readonly mails: readonly { readonly to: readonly string[]; readonly raw: Buffer }[];
	/** Resolves when so many mails are there. */
	arrived(count: number): Promise<void>;
	stop(): Promise<void>;
}

export async function startSmtpSink(): Promise<SmtpSink> {
	const mails: { readonly to: readonly string[]; readonly raw: Buffer }[] = [];
	const sockets = new Set<Socket>();
	let waiting: (() => void)[] = [];
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
		void serve(socket);
	});

	async function serve(socket: Socket): Promise<void> {
		const say = (text: string): void => void socket.write(`${text}\r\n`);
		let to: string[] = [];
		let data: string[] | undefined;
		say('220 sink');
		for await (const line of createInterface({ input: socket.setEncoding('latin1'), crlfDelay: Infinity })) {
			if (data !== undefined) {
				if (line === '.') {
					mails.push({ to, raw: Buffer.from(`${data.join('\n')}\n`, 'latin1') });
					[to, data] = [[], undefined];
					say('250 kept');
					waiting.forEach((look) => look());
				} else {
					data.push(line.replace(/^\./, ''));
				}
			} else if (/^DATA$/i.test(line)) {
				data = [];
				say('354 go on');
			} else if (/^QUIT/i.test(line)) {
				say('221 bye');
				socket.end();
			} else {
				to.push(...(/^RCPT TO:\s*<([^>]*)>/i.exec(line)?.slice(1) ?? []));
				say('250 sink');
			}
		}
	}

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : 0,
		mails,
		async arrived(count) {
			await new Promise<void>((resolve) => {
				const look = (): void => (mails.length >= count ? resolve() : undefined);
				waiting.push(look);
				look();
			});
			waiting = [];
		},
		async stop() {
			sockets.forEach((socket) => socket.destroy());
			server.close();
			await once(server, 'close');
		},
	};
}
