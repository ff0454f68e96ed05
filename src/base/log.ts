/** Where the program tells its story. Never given tokens, request bodies or answers. */
export interface Log {
	debug(message: string): void;
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}
