import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** Callbacks of one SMTP connection. */
export interface SmtpParts {
	/** Name in the greeting. */
	readonly hostName: string;
	readonly maxBytes: number;
	/** Reason to reject mail for this address; undefined to accept it. */
	refuseRecipient(address: string): string | undefined;
	/** Delivers the mail; returns the reason of a refusal. */
	deliver(recipients: readonly string[], mail: Uint8Array, sender: string): string | undefined;
}

const maxLineBytes = 64 * 1024;

/** Mail programs try them without an offer. */
const unofferedCommands = new Set(['STARTTLS', 'HELP', 'EXPN', 'ETRN', 'TURN', 'BDAT', 'SEND', 'SOML', 'SAML']);

const maxRecipients = 100;
const crlf = Buffer.from('\r\n');
const dataEnd = Buffer.from('\r\n.\r\n');

/**
 * The SMTP subset of local mail programs: EHLO, AUTH PLAIN and LOGIN (accepts anyone), MAIL, RCPT, DATA, RSET, NOOP,
 * VRFY, QUIT, and pipelining.
 */
export function createSmtpSession(parts: SmtpParts) {
	let waiting: Buffer = Buffer.alloc(0);
	let mode: 'command' | 'data' | 'secret' | 'ended' = 'command';
	/** Base64 lines that AUTH still expects. */
	let secretsLeft = 0;
	let sender: string | undefined;
	let recipients: string[] = [];
	/** Discards the rest of an oversized mail. */
	let overflowed = false;

	const forget = (): void => {
		sender = undefined;
		recipients = [];
		overflowed = false;
	};

	const hello = (extended: boolean): string => {
		forget();
		const features = ['PIPELINING', '8BITMIME', 'SMTPUTF8', `SIZE ${parts.maxBytes}`, 'AUTH PLAIN LOGIN'];
		return extended ? multiline(250, [parts.hostName, ...features]) : `250 ${parts.hostName}`;
	};

	const mail = (rest: string): string => {
		const address = /^FROM:\s*<([^<>]*)>/i.exec(rest)?.[1];
		const size = Number(/\bSIZE=(\d+)/i.exec(rest)?.[1] ?? 0);
		if (address === undefined) {
			return '501 5.5.4 Say MAIL FROM:<address>';
		}
		if (sender !== undefined) {
			return '503 5.5.1 One mail at a time';
		}
		if (size > parts.maxBytes) {
			return tooBig;
		}
		sender = address;
		return '250 2.1.0 Ok';
	};

	const recipient = (rest: string): string => {
		const address = /^TO:\s*<([^<>]+)>/i.exec(rest)?.[1];
		if (sender === undefined) {
			return '503 5.5.1 MAIL comes first';
		}
		if (address === undefined) {
			return '501 5.5.4 Say RCPT TO:<address>';
		}
		if (recipients.length >= maxRecipients) {
			return '452 4.5.3 Too many recipients';
		}
		const reason = parts.refuseRecipient(address);
		if (reason !== undefined) {
			return `550 5.1.1 ${oneLine(reason)}`;
		}
		recipients.push(address);
		return '250 2.1.5 Ok';
	};

	const data = (): string => {
		if (recipients.length === 0) {
			return '503 5.5.1 RCPT comes first';
		}
		mode = 'data';
		return '354 Go ahead, end with a dot on a line of its own';
	};

	const auth = (rest: string): string => {
		const [mechanism = '', initial] = rest.split(/\s+/);
		const steps: Readonly<Record<string, number>> = { PLAIN: 1, LOGIN: 2 };
		const needed = steps[mechanism.toUpperCase()];
		if (needed === undefined) {
			return '504 5.5.4 PLAIN or LOGIN, please';
		}
		secretsLeft = needed - (initial === undefined ? 0 : 1);
		return secret();
	};

	const secret = (): string => {
		mode = secretsLeft > 0 ? 'secret' : 'command';
		return secretsLeft > 0 ? '334 ' : '235 2.7.0 Welcome';
	};

	const commands: Readonly<Record<string, (rest: string) => string>> = {
		EHLO: () => hello(true),
		HELO: () => hello(false),
		AUTH: auth,
		MAIL: mail,
		RCPT: recipient,
		DATA: data,
		RSET: () => {
			forget();
			return '250 2.0.0 Ok';
		},
		NOOP: () => '250 2.0.0 Ok',
		VRFY: () => '252 2.5.0 Send it and see',
		QUIT: () => {
			mode = 'ended';
			return '221 2.0.0 Bye';
		},
	};

	const command = (line: string): string => {
		if (mode === 'secret' && /^[\w+/=*-]*\r?$/.test(line)) {
			secretsLeft--;
			return secret();
		}
		const [, verb = '', rest = ''] = /^([A-Za-z]+)(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
		const handle = Object.hasOwn(commands, verb.toUpperCase()) ? commands[verb.toUpperCase()] : undefined;
		if (mode !== 'secret' && handle !== undefined) {
			return handle(rest);
		}
		if (mode !== 'secret' && unofferedCommands.has(verb.toUpperCase())) {
			return '502 5.5.1 That is not offered here';
		}
		// A web page can send a mail in the body of a request, below lines that are no commands.
		mode = 'ended';
		waiting = Buffer.alloc(0);
		return '421 5.7.0 That is no mail program';
	};

	/** Reply to the next complete command in `waiting`; undefined if incomplete. */
	const step = (): string | undefined => {
		if (mode === 'ended') {
			return undefined;
		}
		if (mode === 'data') {
			return takeData();
		}
		const end = waiting.indexOf('\n');
		if (end === -1) {
			if (waiting.length > maxLineBytes) {
				mode = 'ended';
				return '500 5.5.2 That line is too long';
			}
			return undefined;
		}
		const line = waiting.subarray(0, end).toString('utf8');
		waiting = waiting.subarray(end + 1);
		return command(line);
	};

	const takeData = (): string | undefined => {
		const atOnce = waiting.subarray(0, 3).equals(dataEnd.subarray(2)) && !overflowed;
		const end = atOnce ? 0 : waiting.indexOf(dataEnd);
		if (end === -1) {
			if (waiting.length > parts.maxBytes) {
				overflowed = true;
				waiting = waiting.subarray(-dataEnd.length);
			}
			return undefined;
		}
		const body = atOnce ? Buffer.alloc(0) : Buffer.concat([waiting.subarray(0, end), crlf]);
		waiting = waiting.subarray(end + (atOnce ? 3 : dataEnd.length));
		mode = 'command';
		const reply = overflowed || body.length > parts.maxBytes ? tooBig : handOver(body);
		forget();
		return reply;
	};

	const handOver = (body: Buffer): string => {
		const reason = parts.deliver(recipients, unstuff(body), sender ?? '');
		return reason === undefined ? '250 2.0.0 Taken' : `550 5.7.1 ${oneLine(reason)}`;
	};

	return {
		greeting: `220 ${parts.hostName} ESMTP\r\n`,
		/** Replies to everything that became complete with these bytes, in order, each ended by CRLF. */
		feed(bytes: Uint8Array) {
			if (mode === 'ended') {
				return '';
			}
			waiting = Buffer.concat([waiting, bytes]);
			let replies = '';
			for (let reply = step(); reply !== undefined; reply = step()) {
				replies += `${reply}\r\n`;
			}
			return replies;
		},
		/** True after QUIT, and after a line that never ended or is no command. */
		ended: () => mode === 'ended',
	};
}

const tooBig = '552 5.3.4 The mail is too big';

/** Takes away the dot that the sender put before lines that begin with one. */
function unstuff(body: Buffer): Buffer {
	return Buffer.from(body.toString('latin1').replaceAll(/(^|\r\n)\.(?=[^\r])/g, '$1'), 'latin1');
}

function multiline(code: number, lines: readonly string[]): string {
	return lines.map((line, at) => `${code}${at === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n');
}

function oneLine(text: string): string {
	return text.replaceAll(/[^\u0020-\u007e]+/g, ' ').slice(0, 400);
}

/** A mail server on loopback. */
export interface SmtpDoor {
	readonly host: string;
	readonly port: number;
	/** Ends all connections. New connections reach the current world. */
	hangUp(): void;
	/** Ends all connections; resolves when the port is free. */
	close(): Promise<void>;
}

const host = '127.0.0.1';
const idleMs = 60_000;
const maxConnections = 50;

/**
 * Opens an SMTP server at `port` (0: any). Rejects if the port is in use. Calls `parts` for each connection, so the
 * port survives a reset of the world; refuses the connection without parts.
 */
export async function openSmtpDoor(parts: () => SmtpParts | undefined, port: number): Promise<SmtpDoor> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		const asked = parts();
		if (asked === undefined) {
			socket.destroy();
			return;
		}
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		serve(socket, asked);
	});
	server.maxConnections = maxConnections;
	server.listen(port, host);
	await once(server, 'listening');
	const hangUp = (): void => sockets.forEach((socket) => socket.destroy());
	return {
		host,
		port: portOf(server),
		hangUp,
		async close() {
			hangUp();
			server.close();
			await once(server, 'close');
		},
	};
}

function serve(socket: Socket, parts: SmtpParts): void {
	const session = createSmtpSession(parts);
	socket.setNoDelay(true);
	socket.setTimeout(idleMs, () => socket.destroy());
	// A client that went away is no business of the forge's.
	socket.on('error', () => socket.destroy());
	socket.on('data', (bytes: Buffer) => {
		socket.write(session.feed(bytes));
		if (session.ended()) {
			socket.end();
		}
	});
	socket.write(session.greeting);
}

function portOf(server: Server): number {
	const address = server.address();
	if (address === null || typeof address === 'string') {
		throw new Error('The mail door has no port');
	}
	return address.port;
}
