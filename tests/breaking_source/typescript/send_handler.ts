// Handles a side without the method that it has to handle now.
import type { House, SetRequest, SetResponse } from "house";

export class Home implements House {
  set(params: SetRequest): SetResponse {
    return { fan: params.fan, mode: params.mode };
  }
}
