"""Handles a side without the method that it has to handle now."""

from house import House, HouseContext, SetRequest, SetResponse


class Home(House):
    async def set(self, request: SetRequest, context: HouseContext) -> SetResponse:
        return SetResponse(fan=request.fan, mode=request.mode)


home = Home()
