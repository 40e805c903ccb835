export interface Server {
  setLevel(level: number): void;
  readSwitch(): void;
  switch_read(): void;
}
export interface Client {
  switchChanged?(): void;
}
